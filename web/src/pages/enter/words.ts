import { words } from '../../i18n/language.svelte';

export const t = words(
  {
    title: 'One-time link',
    once: 'This link signs in one person, once.',
  },
  {
    title: '一次性链接',
    once: '此链接只供一人登录一次。',
  },
);
