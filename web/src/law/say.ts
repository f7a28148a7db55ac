/** Sentences of the books in the reader's language; the law itself is English. */
import { language } from '../i18n/language.svelte';
import zh from './zh.json';

const chinese: Readonly<Record<string, string>> = zh;

/** What a sentence is in the reader's language, and the language it is in. */
export function say(sentence: string): { text: string; lang: string | undefined } {
  if (language() === 'en') return { text: sentence, lang: undefined };
  const told = chinese[sentence];
  return told ? { text: told, lang: undefined } : { text: sentence, lang: 'en' };
}
