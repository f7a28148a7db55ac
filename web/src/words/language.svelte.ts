/** The language of a page. */
import { keep, kept } from '../app/keep';
import { inAddress, dropFromAddress } from '../app/route.svelte';
import { LANGUAGES } from './languages';

export { LANGUAGES };
export type Language = (typeof LANGUAGES)[number]['id'] | 'qps';

/** `#language=qps` shows English made longer: what is not in the catalogue stands out, and what has no room. */
function first(): Language {
  const asked = (inAddress('language') || kept('language', '') || navigator.language).toLowerCase();
  if (asked === 'qps') return asked;
  return LANGUAGES.find(({ id }) => `${asked}-`.startsWith(`${id.toLowerCase()}-`))?.id ?? 'en';
}

const state = $state<{ language: Language }>({ language: first() });

export function language(): Language {
  return state.language;
}

export function tag(): string {
  return LANGUAGES.find(({ id }) => id === state.language)?.tag ?? 'en';
}

/** Its words must have been learned before: see `setLanguage`. */
export function switchTo(next: Language): void {
  state.language = next;
  if (next !== 'qps') {
    keep('language', next);
    dropFromAddress('language');
  }
  document.documentElement.lang = tag();
}
