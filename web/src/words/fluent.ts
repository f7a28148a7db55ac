/** One language of the catalogue, made of its Fluent files. */
import { FluentBundle, FluentResource } from '@fluent/bundle';
import { functionsOf, Names, plainNumber, type Voice } from './functions';
import { lengthened } from './pseudo';
import type { Statement } from '../wire';

export type Fact = string | number | readonly string[];
export type Facts = Readonly<Record<string, Fact>>;

export class Catalogue implements Voice {
  readonly #bundle: FluentBundle;
  readonly #zone: () => string;
  readonly law: (words: string) => string;

  constructor(
    language: string,
    texts: readonly string[],
    zone: () => string = () => 'UTC',
    law: (words: string) => string = String,
  ) {
    this.#zone = zone;
    this.law = law;
    const pseudo = language === 'qps';
    this.#bundle = new FluentBundle(pseudo ? 'en' : language, {
      functions: functionsOf(this),
      useIsolating: false,
      ...(pseudo ? { transform: lengthened } : {}),
    });
    this.add(texts);
  }

  add(texts: readonly string[]): void {
    for (const text of texts)
      for (const error of this.#bundle.addResource(new FluentResource(text), { allowOverrides: true })) throw error;
  }

  has(id: string): boolean {
    return this.#bundle.hasMessage(id);
  }

  /** An unknown id, and a fact that is missing, is shown by its name: a row may come from another version. */
  say(id: string, facts: Facts = {}): string {
    return this.name(id, facts) ?? id;
  }

  /** What a statement says: first what is inside it, and last the clause. */
  stated({ id, facts, parts = {}, clause }: Statement): string {
    const inside = Object.entries(parts).map(([name, several]) => [name, several.map((one) => this.stated(one))]);
    const sentence = this.say(id, { ...facts, ...Object.fromEntries(inside) });
    return clause ? this.say('cited', { sentence, clause }) : sentence;
  }

  name(id: string, facts: Facts = {}): string | null {
    const pattern = this.#bundle.getMessage(id)?.value;
    if (pattern == null) return null;
    const filled = Object.entries(facts).map(([name, fact]) => [name, this.#filled(fact)]);
    return this.#bundle.formatPattern(pattern, Object.fromEntries(filled), []);
  }

  zone(): string {
    return this.#zone();
  }

  #filled(fact: Fact) {
    if (typeof fact === 'number') return plainNumber(fact);
    return typeof fact === 'string' ? fact : new Names(fact, this);
  }
}
