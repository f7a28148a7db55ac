import { expect, test } from 'vitest';
import type { OwnBet } from '../wire';
import { celebrates, settlement } from './settlement';

const bet = (stake: number, winnings: number, returned: number): OwnBet => ({
  id: `A1.${stake}`,
  box: 'big',
  stake,
  layout: 'A',
  fate: { collected: winnings + returned ? 0 : stake, winnings, returned, clause: '4.1' },
});

test('a round that took more than it gave is not celebrated, though a bet in it won', () => {
  const mine = settlement([bet(20_00, 0, 0), bet(5_00, 5_00, 5_00)]);
  expect(mine).toEqual({ staked: 25_00, winnings: 5_00, returned: 5_00, net: -15_00 });
  expect(celebrates(mine)).toBe(false);
  expect(celebrates(settlement([bet(5_00, 0, 5_00)]))).toBe(false);
  expect(celebrates(settlement([bet(5_00, 1, 5_00)]))).toBe(true);
  expect(celebrates(null)).toBe(false);
});
