/** The words of a page in the reader's language: those files of the catalogue that its modules ask for. */
import { language, switchTo, type Language } from './language.svelte';
import { Catalogue, type Facts } from './fluent';
import type { Id } from './ids';
import type { Statement } from '../wire';

const WORDS = '../../../src/croupier/words';
const FILES = import.meta.glob<string>('../../../src/croupier/words/*/*.ftl', { query: '?raw', import: 'default' });
const AGAIN_MS = 1_000;
/** What the server says in English beside the facts is not loaded for those who read English. */
const TRANSLATED = ['refusals'];
// eslint-disable-next-line svelte/prefer-svelte-reactivity -- read once, when the page begins
const asked = new Set(['names']);

/** What a book says, in the reader's language; law/translation.svelte.ts has it where somebody translated it. */
let law: (words: string) => string = String;

type Learned = Readonly<Partial<Record<Language, Catalogue>>>;
const state = $state.raw<{ learned: Learned }>({ learned: {} });

/** The messages whose ids begin so: `words('terminal')` has `undo` for `terminal-undo`. Asks for the file they are in. */
export function words<Room extends string>(room: Room, file: string = room): (key: Key<Room>, facts?: Facts) => string {
  asked.add(file);
  return (key, facts) => say(`${room}-${key}`, facts);
}
type Key<Room extends string> = Id extends infer One ? (One extends `${Room}-${infer Rest}` ? Rest : never) : never;

/** The sentence of an id. For ids that are put together from facts; `words` checks the others when it is built. */
export function say(id: string, facts: Facts = {}): string {
  return state.learned[language()]?.say(id, facts) ?? id;
}

/** What a statement says, as a part of another sentence. */
export function stated(one: Statement): string {
  return state.learned[language()]?.stated(one) ?? one.id;
}

/** A statement as a sentence of its own. */
export const sentence = (one: Statement): string => say('full-stop', { said: stated(one) });

export function sayLawBy(translate: (words: string) => string): void {
  law = translate;
}

export function has(id: string): boolean {
  return state.learned[language()]?.has(id) ?? false;
}

/** Show everything in another language, as soon as its words are here. */
export async function setLanguage(next: Language): Promise<void> {
  if (!state.learned[next]) teach(next, await Promise.all(files(next).map(text)));
  switchTo(next);
}

export function teach(next: Language, texts: readonly string[]): void {
  state.learned = { ...state.learned, [next]: new Catalogue(next, texts, undefined, (words) => law(words)) };
}

const files = (next: Language) =>
  [...asked, ...(next === 'en' ? [] : TRANSLATED)].map(
    (file) => `${WORDS}/${next === 'qps' ? 'en' : next}/${file}.ftl`,
  );

async function text(file: string): Promise<string> {
  for (;;) {
    try {
      return await FILES[file]!();
    } catch {
      await new Promise((done) => setTimeout(done, AGAIN_MS)); // the floor does not answer just now
    }
  }
}
