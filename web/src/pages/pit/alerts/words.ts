/** Kinds of alerts in the reader's language; what each says beyond that is the floor's own English. */
import { words } from '../../../i18n/language.svelte';

const english = {
  'device-offline': 'The device does not answer',
  'device-slow': 'The device is slow',
  'device-fault': 'The device reports a fault',
  'device-contradiction': 'The device contradicts itself',
  'device-bias': 'The results are not those of fair equipment',
  'wheel-direction': 'The wheel keeps its direction',
  'wheel-speed': 'The wheel turns at a wrong speed',
  dealing: 'The automatic dealing waits for a person',
  'crew-fault': 'A program at the table stopped',
  'table-stopped': 'The table takes no commands',
  'cage-stopped': 'The cage takes no commands',
  'screen-fault': 'A screen could not be told what happened',
  'ticket-not-printed': 'A ticket is perhaps not on paper',
  clock: 'The clock of the machine is not right',
  checkpoint: 'Rows are not signed',
  copies: 'Checkpoints do not reach their copy',
  journal: 'The journal is not true',
  heads: 'What was on disk last is not remembered',
  software: 'This is not the approved software',
  credential: 'Somebody came by what another made',
  'two-people': 'One person tried to be two',
};

const t = words(english, {
  'device-offline': '设备没有回应',
  'device-slow': '设备迟缓',
  'device-fault': '设备报告故障',
  'device-contradiction': '设备前后矛盾',
  'device-bias': '结果不像公平设备所出',
  'wheel-direction': '轮盘方向未变',
  'wheel-speed': '轮盘转速不符',
  dealing: '自动开局等待人员处理',
  'crew-fault': '赌台程序停止',
  'table-stopped': '赌台不接受操作',
  'cage-stopped': '账房不接受操作',
  'screen-fault': '有屏幕未能收到消息',
  'ticket-not-printed': '票券可能未打印',
  clock: '机器时钟不准',
  checkpoint: '有行未被签名',
  copies: '检查点未能送达副本',
  journal: '日志不属实',
  heads: '未能记住最后写入的内容',
  software: '软件与核准版本不符',
  credential: '有人使用他人制作的凭证登录',
  'two-people': '一人试图充当两人',
});

/** The heading of an alert; one whose kind is not known here is shown as the server calls it. */
export function alertName(kind: string): string {
  return kind in english ? t(kind as keyof typeof english) : kind;
}
