import { expect, test } from 'vitest';
import { grouped, summed, unique } from './grouped';

const BETS = [
  { box: 'big', stake: 500 },
  { box: 'total:9', stake: 200 },
  { box: 'big', stake: 100 },
];

test('what belongs together keeps its order', () => {
  expect([...grouped(BETS, (bet) => bet.box)]).toEqual([
    ['big', [BETS[0], BETS[2]]],
    ['total:9', [BETS[1]]],
  ]);
});

test('amounts under one key are added', () => {
  expect([
    ...summed(
      BETS,
      ({ box }) => box,
      ({ stake }) => stake,
    ),
  ]).toEqual([
    ['big', 600],
    ['total:9', 200],
  ]);
});

test('each is met once', () => expect(unique(BETS.map((bet) => bet.box))).toEqual(['big', 'total:9']));
