import { expect, test } from 'vitest';
import { money, parseMoney, shortMoney } from './money';

test('amounts are written as the server writes them', () => {
  expect([0, 5, 1_00, 1_250_50, 99_999_999_999_999, -1_250_50].map(money)).toEqual([
    '0.00',
    '0.05',
    '1.00',
    '1,250.50',
    '999,999,999,999.99',
    '-1,250.50',
  ]);
});

test('chips are written short', () => {
  expect([50, 1_00, 2_50, 1_000_00, 1_500_00, 10_000_00].map(shortMoney)).toEqual([
    '0.50',
    '1',
    '2.50',
    '1K',
    '1.5K',
    '10K',
  ]);
});

test('what is typed is read to the cent, or not at all', () => {
  expect(['10', '10.00', '1,250.50', ' 7.05 '].map(parseMoney)).toEqual([1000, 1000, 125050, 705]);
  expect(['', '-1', '1.5', '1.005', '1,25', 'ten', '1e3'].map(parseMoney)).toEqual(Array(7).fill(null));
});
