/** Both readers of the catalogue, that of Python and this one, say the same. */
import { expect, test } from 'vitest';
import { Catalogue, type Facts } from './fluent';
import { LANGUAGES } from './languages';
import type { Statement } from '../wire';

type Said = readonly [language: string, id: string, facts: Facts, sentence: string];
const files = import.meta.glob<string>('../../../src/croupier/words/*/*.ftl', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const folder = (language: string) => (language === 'qps' ? 'en' : language);
const of = (language: string) =>
  Object.entries(files)
    .filter(([file]) => file.includes(`/words/${folder(language)}/`))
    .map(([, text]) => text);
const json = import.meta.glob<unknown>(['../../../tests/golden/words.json', '../../../build/words.json'], {
  import: 'default',
  eager: true,
});

test('the examples that were agreed on are said so', () => {
  const golden = json['../../../tests/golden/words.json'] as {
    zone: Record<string, string>;
    ftl: string;
    said: Said[];
    stated: [language: string, one: Statement, sentence: string][];
  };
  expect(golden.said.length).toBeGreaterThan(20);
  for (const [language, id, facts, sentence] of golden.said) {
    const words = new Catalogue(language, [...of(language), golden.ftl], () => golden.zone[language] ?? 'UTC');
    expect(words.say(id, facts), `${language} ${id}`).toBe(sentence);
  }
  expect(golden.stated.length).toBeGreaterThan(4);
  for (const [language, one, sentence] of golden.stated)
    expect(new Catalogue(language, of(language)).stated(one)).toBe(sentence);
});

test('every message is said as Python says it', () => {
  const catalogues = Object.fromEntries(
    [...LANGUAGES.map(({ id }) => id), 'qps'].map((one) => [one, new Catalogue(one, of(one))]),
  );
  const every = json['../../../build/words.json'] as Said[];
  expect(every.length).toBeGreaterThan(90);
  for (const [language, id, facts, sentence] of every)
    expect(catalogues[language]!.say(id, facts), `${language} ${id}`).toBe(sentence);
}, 60_000);
