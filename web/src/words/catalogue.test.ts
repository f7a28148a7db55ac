/** No component holds words of its own. */
import { parse } from 'svelte/compiler';
import { expect, test } from 'vitest';

const SPOKEN = new Set(['aria-label', 'title', 'placeholder', 'alt', 'label']);
const components = import.meta.glob<string>('/src/**/*.svelte', { query: '?raw', import: 'default', eager: true });

test.each(Object.entries(components))('%s holds no words outside the catalogue', (_, source) => {
  const found: string[] = [];
  walk(parse(source, { modern: true }).fragment, found);
  expect(found).toEqual([]);
});

function walk(node: unknown, found: string[], attribute = ''): void {
  if (Array.isArray(node)) node.forEach((part) => walk(part, found, attribute));
  if (node === null || typeof node !== 'object' || Array.isArray(node)) return;
  const part = node as { type?: string; name?: string; data?: string; [key: string]: unknown };
  if (part.type === 'StyleDirective') return;
  if (part.type === 'Attribute') {
    if (SPOKEN.has(part.name ?? '')) walk(part['value'], found, part.name);
    return;
  }
  if (part.type === 'Text' && /\p{L}{2}/u.test(part.data ?? '')) found.push(`${attribute} ${part.data}`.trim());
  for (const [key, value] of Object.entries(part)) if (key !== 'parent') walk(value, found, attribute);
}
