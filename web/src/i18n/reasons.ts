/** Refusals in plain words. The server's own sentence is English and the last word; others are told by its reason. */
import { boxName } from './boxes';
import { language, words } from './language.svelte';
import { money } from './money';

const t = words(
  {
    'late-bet': 'No More Bets was called. This bet was not taken.',
    'late-withdrawal': 'No More Bets was called. The bet stays on the table.',
    phase: 'Not now: this does not fit where the round stands.',
    minimum: 'Below the minimum of {minimum} here.',
    maximum: 'Above the maximum of {maximum} here.',
    unit: 'Stakes are multiples of {unit}.',
    credit: 'Not enough credit.',
    round: 'That round is over. The bet was not taken.',
    closed: 'The table is not open for gaming.',
    locked: 'The table is locked until a supervisor unlocks it.',
    interrupted: 'The round is interrupted. Registered bets are safe.',
    terminal: 'This terminal is interrupted.',
    ticket: 'This ticket cannot be taken.',
    layout: 'This layout cannot be taken now.',
    busy: 'Too many messages wait. Try again in a moment.',
    permission: 'You may not do this.',
    'same-person': 'A second, different person must agree.',
    unknown: 'Whether this was registered is not known yet. It is asked again.',
    approval: 'This request no longer waits.',
    'approval-expired': 'The request has expired. Ask again.',
    'approval-content': 'The request is not what was approved.',
    checks: 'An opening check was not made.',
    reason: 'A reason is needed.',
    entry: 'Press three numbers first, then the entry key.',
    motion: 'This does not fit the tumble or the spin.',
    sources: 'The two sources of the result differ, or one is missing. A supervisor decides.',
    outcome: 'This result cannot be taken.',
    limits: 'These limits cannot be kept by the table.',
    excess: 'Only what is over the limit is rejected, the latest bet first.',
    'early-close': 'Before the spin the close must be allowed by those the book names.',
    irregularity: 'This irregularity does not fit now, or has an act of its own.',
    established: 'What is attested does not fit what is known.',
    colour: 'The colour chips do not fit.',
    seat: 'This seat cannot be taken or left now.',
    bet: 'There is no such bet.',
    box: 'There is no such box on this layout.',
    name: 'This name cannot be used.',
    session: 'Sign in first.',
    missing: 'That is not here.',
    disk: 'The disk has no room for new rounds.',
    amount: 'This amount cannot be taken.',
    bank: 'The bank does not have this much.',
    other: 'Refused: {reason}.',
  },
  {
    'late-bet': '已喊停止下注，此注未受理。',
    'late-withdrawal': '已喊停止下注，注码保留在台面。',
    phase: '本局此时不能这样做。',
    minimum: '低于此处最低注额 {minimum}。',
    maximum: '高于此处最高注额 {maximum}。',
    unit: '注额须为 {unit} 的倍数。',
    credit: '余额不足。',
    round: '该局已结束，此注未受理。',
    closed: '此台尚未开放。',
    locked: '此台已锁定，须由主管解锁。',
    interrupted: '本局中断。已登记的注码安全。',
    terminal: '此终端中断。',
    ticket: '无法接受此票券。',
    layout: '现在不能选用此布局。',
    busy: '待处理的消息过多，请稍后再试。',
    permission: '您无权这样做。',
    'same-person': '须由另一位人员同意。',
    unknown: '尚不清楚是否已登记，正在重新询问。',
    approval: '此请求已不再等待。',
    'approval-expired': '请求已过期，请重新提出。',
    'approval-content': '请求内容与所批准的不同。',
    checks: '有一项开台检查未完成。',
    reason: '须说明原因。',
    entry: '请先按三个数字，再按输入键。',
    motion: '与摇骰或掷珠的情况不符。',
    sources: '结果的两个来源不一致或缺少其一，由主管裁定。',
    outcome: '不能接受此结果。',
    limits: '赌台无法执行这些限额。',
    excess: '只退回超出限额的部分，后下者先退。',
    'early-close': '掷珠前停止下注须由规则指定的人员允许。',
    irregularity: '此异常此刻不适用，或另有专门操作。',
    established: '所证明的与已知情况不符。',
    colour: '色码不符。',
    seat: '此座位现在不能入座或离座。',
    bet: '没有这一注。',
    box: '此布局没有这一格。',
    name: '此名称不可使用。',
    session: '请先登录。',
    missing: '此处没有该内容。',
    disk: '磁盘空间不足，不能开新局。',
    amount: '不能接受此金额。',
    bank: '台底不足。',
    other: '被拒绝：{reason}。',
  },
);
type Known = Parameters<typeof t>[0];
const known = new Set(
  'late-bet late-withdrawal phase minimum maximum unit credit round closed locked interrupted terminal ticket layout busy permission same-person unknown approval approval-expired approval-content checks reason entry motion sources outcome limits excess early-close irregularity established colour seat bet box name session missing disk amount bank'.split(
    ' ',
  ),
);

export interface Refusal {
  reason: string;
  message: string;
  clause: string | null;
  /** What the page knows of the act that was refused. */
  box?: string;
  minimum?: number;
  maximum?: number;
  unit?: number;
}

/** In English the server's sentence, which has all the facts; otherwise the reason in the reader's language. */
export function plain(refusal: Refusal): string {
  if (language() === 'en') return sentence(refusal.message);
  const facts = {
    reason: refusal.reason,
    minimum: amount(refusal.minimum),
    maximum: amount(refusal.maximum),
    unit: amount(refusal.unit),
  };
  const said = t(known.has(refusal.reason) ? (refusal.reason as Known) : 'other', facts);
  return refusal.box ? `${boxName(refusal.box)}:${said}` : said;
}

function amount(cents: number | undefined): string {
  return cents === undefined ? '' : money(cents);
}

function sentence(message: string): string {
  const first = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
