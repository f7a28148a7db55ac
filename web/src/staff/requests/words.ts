import { words } from '../../i18n/language.svelte';

export const request = words(
  {
    from: 'asked by {person}',
    until: '{seconds} s left',
    approve: 'Approve',
    decline: 'Decline',
    own: 'Another person must agree.',
    notYours: 'A supervisor must agree.',
  },
  {
    from: '{person} 提出',
    until: '剩余 {seconds} 秒',
    approve: '批准',
    decline: '拒绝',
    own: '须由另一位人员同意。',
    notYours: '须由主管同意。',
  },
);
