/** The language of a page. */
import { keep, kept } from '../app/keep';
import { said, unsay } from '../app/route.svelte';

export type Language = 'en' | 'zh' | 'qps';
export const LANGUAGES: readonly { id: Language; name: string; tag: string }[] = [
  { id: 'en', name: 'English', tag: 'en' },
  { id: 'zh', name: '简体中文', tag: 'zh-Hans' },
];

/** `#language=qps` shows English made longer: what is not in the catalogue stands out, and what has no room. */
function first(): Language {
  const asked = said('language') || kept('language', '') || navigator.language;
  return asked === 'qps' ? 'qps' : asked.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

const state = $state<{ language: Language }>({ language: first() });

export function language(): Language {
  return state.language;
}

export function tag(): string {
  return state.language === 'zh' ? 'zh-Hans' : 'en';
}

/** Its words must have been learned before: see `setLanguage`. */
export function switchTo(next: Language): void {
  state.language = next;
  if (next !== 'qps') {
    keep('language', next);
    unsay('language');
  }
  document.documentElement.lang = tag();
}

/** Names in a row, as the reader's language sets them. */
export function listed(names: readonly string[]): string {
  return names.join(state.language === 'zh' ? '、' : ', ');
}
