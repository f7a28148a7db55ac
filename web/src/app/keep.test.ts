import { expect, test } from 'vitest';
import { forget, keep, kept } from './keep';

test('what is kept comes back as it was', () => {
  keep('sound', false);
  keep('terminal', 'a key');
  keep('tickets', [{ number: '123' }]);
  expect([kept('sound', true), kept('terminal', '')]).toEqual([false, 'a key']);
  expect(kept<unknown[]>('tickets', [])).toEqual([{ number: '123' }]);
  expect(localStorage.getItem('croupier.terminal')).toBe('a key');
  forget('terminal');
  expect(kept('terminal', '')).toBe('');
});

test('what cannot be read is as if it had never been kept', () => {
  localStorage.setItem('croupier.console.timer', 'half a {');
  expect(kept('console.timer', 30)).toBe(30);
});
