/** Books and their felts: fetched once by a page, since a text that is in force does not change. */
import type { BookSheet, FeltSheet } from '../wire';
import { call } from './http';
import { Resource } from './resource.svelte';

const known = new Map<string, Promise<unknown>>();

function once<T>(path: string): Promise<T> {
  const found = known.get(path) ?? call<T>(path);
  known.set(path, found);
  // Whoever asks after a failure asks the floor again.
  found.catch(() => known.delete(path));
  return found as Promise<T>;
}

export const bookOf = (rulebook: string): Promise<BookSheet> => once(`/api/books/${rulebook}`);

export const sheetOf = (rulebook: string, layout: string): Promise<FeltSheet> =>
  once(`/api/layouts/${rulebook}/${layout}`);

export interface Felts {
  rulebook: string;
  layouts: readonly string[];
}
export const sheetsOf = ({ rulebook, layouts }: Felts): Promise<FeltSheet[]> =>
  Promise.all(layouts.map((layout) => sheetOf(rulebook, layout)));

/** The book of a table and its felts in its order, as soon as they are here. */
export class Library {
  readonly #book: Resource<string, BookSheet>;
  readonly #sheets: Resource<Felts, FeltSheet[]>;

  constructor(felts: () => Felts | null) {
    this.#book = new Resource(() => felts()?.rulebook ?? null, bookOf);
    this.#sheets = new Resource(felts, sheetsOf);
  }

  get book(): BookSheet | null {
    return this.#book.value;
  }

  get sheets(): readonly FeltSheet[] {
    return this.#sheets.value ?? [];
  }
}
