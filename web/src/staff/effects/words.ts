import { words } from '../../i18n/language.svelte';

export const does = words(
  {
    lock: 'The table is locked by {clause} until a supervisor unlocks it.',
    collected: 'Collected',
    winnings: 'Winnings paid',
    returned: 'Stakes returned',
    owed: 'Left owing',
    told: 'Players told',
    player: 'Player',
    box: 'Box',
    stake: 'Stake',
    before: 'Had got',
    gets: 'Gets',
    nothing: 'No money moves.',
  },
  {
    lock: '按条款 {clause} 锁定赌台，直到主管解锁。',
    collected: '收取',
    winnings: '赔付赢款',
    returned: '退还注额',
    owed: '形成欠款',
    told: '告知玩家',
    player: '玩家',
    box: '投注格',
    stake: '注额',
    before: '此前所得',
    gets: '应得',
    nothing: '没有款项变动。',
  },
);
