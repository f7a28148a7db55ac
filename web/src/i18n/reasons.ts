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
    other: 'Refused: {reason}.',
  },
  {
    'late-bet': '已喊停止下注,此注未受理。',
    'late-withdrawal': '已喊停止下注,注码保留在台面。',
    phase: '本局此时不能这样做。',
    minimum: '低于此处最低注额 {minimum}。',
    maximum: '高于此处最高注额 {maximum}。',
    unit: '注额须为 {unit} 的倍数。',
    credit: '余额不足。',
    round: '该局已结束,此注未受理。',
    closed: '此台尚未开放。',
    locked: '此台已锁定,须由主管解锁。',
    interrupted: '本局中断。已登记的注码安全。',
    terminal: '此终端中断。',
    ticket: '无法接受此票券。',
    layout: '现在不能选用此布局。',
    busy: '待处理的消息过多,请稍后再试。',
    permission: '您无权这样做。',
    'same-person': '须由另一位人员同意。',
    unknown: '尚不清楚是否已登记,正在重新询问。',
    other: '被拒绝:{reason}。',
  },
);
type Known = Parameters<typeof t>[0];
const known = new Set(
  'late-bet late-withdrawal phase minimum maximum unit credit round closed locked interrupted terminal ticket layout busy permission same-person unknown'.split(
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
