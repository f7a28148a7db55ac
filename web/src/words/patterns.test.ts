/** Nothing is read out of a sentence: a pattern knows digits, signs and single letters, and no word. */
import { parse } from 'svelte/compiler';
import { expect, test } from 'vitest';

const sources = import.meta.glob<string>(['/src/**/*.{ts,svelte}', '!/src/**/*.{d,test}.ts', '!/src/wire.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const READERS = new Set(['match', 'matchAll', 'replace', 'replaceAll', 'search', 'split', 'startsWith', 'endsWith']);
/** `\p{Script=Han}`, `\d`, `\n`: a kind of letters, not letters. */
const KIND = /\\p\{[^}]*\}|\\[a-zA-Z]/g;

interface Part {
  type?: string;
  name?: string;
  value?: unknown;
  regex?: { pattern: string };
  callee?: { property?: { name?: string } };
  arguments?: Part[];
}

function* patterns(node: unknown): Generator<string> {
  if (node === null || typeof node !== 'object') return;
  const part = node as Part;
  if (part.type === 'Identifier' && part.name === 'RegExp') yield 'RegExp';
  if (part.regex && /[a-z]{2}/i.test(part.regex.pattern.replace(KIND, ''))) yield part.regex.pattern;
  if (part.type === 'CallExpression' && READERS.has(part.callee?.property?.name ?? '')) {
    const [read] = part.arguments ?? [];
    if (typeof read?.value === 'string' && /[a-z]{2} | [a-z]{2}/i.test(read.value)) yield read.value;
  }
  for (const [key, value] of Object.entries(node)) if (key !== 'parent') yield* patterns(value);
}

const found = (file: string, text: string) => [
  ...patterns(parse(file.endsWith('.ts') ? `<script lang="ts">${text}</script>` : text, { modern: true })),
];

test('a pattern over a sentence is found wherever it stands', () => {
  expect(found('a.ts', 'const a = /^(.*) is over the maximum (\\S+)$/u;')).toHaveLength(1);
  expect(found('a.ts', 'const a = new RegExp(`^${sentence}$`);')).toHaveLength(1);
  expect(found('a.svelte', "<p>{said.replace(' or ', '、')} {said.split(', ')}</p>")).toEqual([' or ']);
  expect(found('a.ts', String.raw`const a = /^\d{1,3}[A-Z]?\p{Letter}\s$/u;`)).toEqual([]);
});

test.each(Object.entries(sources))('%s reads nothing out of a sentence', (file, text) => {
  expect(found(file, text)).toEqual([]);
});
