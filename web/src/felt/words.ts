import { words } from '../i18n/language.svelte';

export const t = words(
  {
    own: 'your stake {amount}',
    pays: 'pays {odds}',
    wins: 'wins',
    which: 'Which did you mean?',
    none: 'None of these',
  },
  {
    own: '您的注额 {amount}',
    pays: '赔率 {odds}',
    wins: '赢',
    which: '您指的是哪一注？',
    none: '都不是',
  },
);
