/** The language of a page, and catalogues of its words: both languages beside each other, so that none is forgotten. */

export type Language = 'en' | 'zh';
export const LANGUAGES: readonly { id: Language; name: string; tag: string }[] = [
  { id: 'en', name: 'English', tag: 'en' },
  { id: 'zh', name: '简体中文', tag: 'zh-Hans' },
];

const KEY = 'croupier.language';

function first(): Language {
  if (typeof localStorage === 'undefined') return 'en';
  const asked =
    new URLSearchParams(location.hash.slice(1)).get('language') ?? localStorage.getItem(KEY) ?? navigator.language;
  return asked.toLowerCase().startsWith('zh') ? 'zh' : 'en';
}

const state = $state<{ language: Language }>({ language: first() });

export function language(): Language {
  return state.language;
}

export function tag(): string {
  return state.language === 'zh' ? 'zh-Hans' : 'en';
}

export function setLanguage(next: Language): void {
  state.language = next;
  localStorage.setItem(KEY, next);
  document.documentElement.lang = tag();
}

/** Names in a row, as the reader's language sets them. */
export function listed(names: readonly string[]): string {
  return names.join(state.language === 'zh' ? '、' : ', ');
}

export type Facts = Record<string, string | number>;
export type Words<Key extends string> = (key: Key, facts?: Facts) => string;

/** The catalogues that were made, for the test that compares them. */
export const catalogues: { en: Record<string, string>; zh: Record<string, string> }[] = [];

/** A catalogue in both languages; `{name}` in a sentence is filled with a fact. */
export function words<Key extends string>(en: Record<Key, string>, zh: Record<NoInfer<Key>, string>): Words<Key> {
  catalogues.push({ en, zh });
  return (key, facts) => fill((state.language === 'zh' ? zh : en)[key], facts);
}

export function fill(sentence: string, facts: Facts = {}): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => String(facts[name] ?? whole));
}
