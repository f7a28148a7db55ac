/** The sentence of a refusal comes from its facts; a refusal without facts has the sentence of the server. */
import { expect, test } from 'vitest';
import { switchTo } from '../words/language.svelte';
import { languageOf, plain } from './reasons';

const over = {
  reason: 'maximum',
  message: 'what the server says in English',
  case: 'over',
  facts: { box: 'total:9', total: 60000, maximum: 50000 },
};

test('from its facts', () => {
  switchTo('zh');
  expect(plain(over)).toBe('总和 9 上的 600.00 超过最高注额 500.00。');
  expect(languageOf(over)).toBeUndefined();
  switchTo('qps');
  expect(plain(over)).toContain('600.00');
});

test('from the sentence of the server, where there are no facts, or none that are known here', () => {
  switchTo('zh');
  const [newer, older] = [
    { ...over, case: 'from-another-version' },
    { message: 'something odd', reason: 'odd', case: '' },
  ];
  expect([newer, older].map(plain)).toEqual(['What the server says in English.', 'Something odd.']);
  expect([newer, older].map(languageOf)).toEqual(['en', 'en']);
  switchTo('en');
  expect([plain(older), languageOf(older)]).toEqual(['Something odd.', undefined]);
});
