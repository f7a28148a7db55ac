/** A room knows those below it, and never one above: what a round means can be read without a drawing of it. */
import { expect, test } from 'vitest';

const ROOMS = ['app', 'words', 'law', 'connect', 'table', 'felt', 'parts', 'staff', 'pages'];
const files = import.meta.glob<string>(['/src/**/*.{ts,svelte}', '!/src/**/*.d.ts'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const roomOf = (path: string) => path.split('/')[2]!;
const pageOf = (path: string) => (path.split('/').length > 4 ? path.split('/')[3]! : '');
/** `/src/pages/pit/Pit.svelte` and `../../words/names` → `/src/words/names` */
const at = (file: string, to: string) => new URL(to, `file://${file}`).pathname;

const imports = Object.entries(files)
  .filter(([file]) => file.split('/').length > 3)
  .flatMap(([file, text]) =>
    [...text.matchAll(/(?:from|import\() ?'(\.[^']*)'/g)].map(([, to]) => [file, at(file, to!)] as const),
  )
  .filter(([, to]) => to.startsWith('/src/') && to !== '/src/wire');

test('every room is one that is known here', () => {
  expect(
    new Set(
      Object.keys(files)
        .filter((file) => file.split('/').length > 3)
        .map(roomOf),
    ),
  ).toEqual(new Set(ROOMS));
  expect(imports.length).toBeGreaterThan(300);
});

test('imports go down', () => {
  const up = imports.filter(([file, to]) => ROOMS.indexOf(roomOf(to)) > ROOMS.indexOf(roomOf(file)));
  expect(up).toEqual([]);
});

test('no page imports another page', () => {
  const across = imports.filter(
    ([file, to]) => roomOf(file) === 'pages' && pageOf(to) !== '' && pageOf(to) !== pageOf(file),
  );
  expect(across.filter(([, to]) => roomOf(to) === 'pages')).toEqual([]);
});
