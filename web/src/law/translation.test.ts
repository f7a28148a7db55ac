import { beforeAll, expect, test, vi } from 'vitest';
import { sentence } from '../words/catalogue.svelte';
import { switchTo } from '../words/language.svelte';
import { fetchTranslation, translate } from './translation.svelte';

const words = { 'No more bets': '停止下注', 'double 3, total 7': '对 3、总和 7' };
const ask = vi.fn<(path: string) => Promise<object>>(() =>
  Promise.resolve({ ok: true, json: () => Promise.resolve({ words }) }),
);

beforeAll(() => vi.stubGlobal('fetch', ask));

test('who reads English reads the text itself, and nothing is fetched', async () => {
  await fetchTranslation();
  expect(translate('No more bets')).toEqual({ text: 'No more bets', lang: undefined });
  expect(ask).not.toHaveBeenCalled();
});

test('a sentence is English until its translation has come, and a failure is asked again', async () => {
  switchTo('zh');
  ask.mockRejectedValueOnce(new Error('nobody answers'));
  expect(translate('No more bets')).toEqual({ text: 'No more bets', lang: 'en' });
  await fetchTranslation();
  expect(translate('No more bets').lang).toBe('en');
  await fetchTranslation();
  expect(translate('No more bets')).toEqual({ text: '停止下注', lang: undefined });
  expect(translate('double 3, total 7').text).toBe('对 3、总和 7');
  expect(ask.mock.calls).toEqual([['/api/words/zh'], ['/api/words/zh']]);
});

test('what nobody translated is shown as it stands, and in which language it is', () => {
  expect(translate('Something else')).toEqual({ text: 'Something else', lang: 'en' });
});

test('a statement says the words of a book in the language of the reader', () => {
  const closed = { id: 'event-closed-by-bell', facts: { words: 'No more bets' }, clause: '3.5' };
  expect(sentence(closed)).toBe('“停止下注”，并摇铃(3.5)。');
});

test('longer English has no translation to fetch', async () => {
  switchTo('qps');
  await fetchTranslation();
  expect(translate('No more bets').lang).toBe('en');
  expect(ask).toHaveBeenCalledTimes(2);
});
