/**
 * The sentences of the books in the reader's language: an exact look-up in what somebody translated, sentence by
 * sentence, beside each book. The approved text is English; what nobody has translated is shown as it stands.
 */
import { sayLawBy } from '../words/catalogue.svelte';
import { language } from '../words/language.svelte';
import { LANGUAGES } from '../words/languages';
import type { LawWords } from '../wire';

export interface Translated {
  text: string;
  /** The language of the text, where it is not the page's. */
  lang: string | undefined;
}
type Sentences = LawWords['words'];

const [ENGLISH] = LANGUAGES;
const state = $state.raw<{ known: Readonly<Record<string, Sentences>> }>({ known: {} });
// eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn of what is still on its way
const asked = new Map<string, Promise<void>>();

/** Fetch the translation into the page's language, if it is not English. */
export function fetchTranslation(): Promise<void> {
  const id = language();
  if (!isTranslated(id)) return Promise.resolve();
  const found = asked.get(id) ?? fetchSentences(id);
  asked.set(id, found);
  return found;
}

const isTranslated = (id: string) => LANGUAGES.some((one) => one !== ENGLISH && one.id === id);

async function fetchSentences(id: string): Promise<void> {
  const answer = await fetch(`/api/words/${id}`).catch(() => null);
  if (!answer?.ok) {
    asked.delete(id); // the next sentence asks again
    return;
  }
  const { words } = (await answer.json()) as LawWords;
  state.known = { ...state.known, [id]: words };
}

/** A sentence of a book in the reader's language. */
export function translate(sentence: string): Translated {
  const id = language();
  if (id === ENGLISH.id) return { text: sentence, lang: undefined };
  if (!state.known[id]) void fetchTranslation();
  const text = state.known[id]?.[sentence];
  return text === undefined ? { text: sentence, lang: ENGLISH.tag } : { text, lang: undefined };
}

sayLawBy((sentence) => translate(sentence).text);
