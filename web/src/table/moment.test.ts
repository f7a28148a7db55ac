/** What a round means at each of its steps, with each device. */
import { describe, expect, test } from 'vitest';
import type { Order, Own, OwnBet, Phase } from '../wire';
import { moment, type Kind, type RoomLike } from './moment';

const ROUND = 7;
const BEFORE = { round: ROUND - 1, outcome: '1-1-2' };
const room = (phase: Phase, more: Partial<RoomLike> = {}): RoomLike => ({
  phase,
  round: ROUND,
  result: '1-1-2',
  lit: {},
  past: [BEFORE],
  open: true,
  ...more,
});
const settling = room('settling', { result: '4-5-6', lit: { A: ['big'] } });
const announced = room('entered', { result: '4-5-6', lit: { A: ['big'] } });
const over = room('ready', {
  round: ROUND + 1,
  result: '4-5-6',
  lit: { A: ['big'] },
  past: [BEFORE, { round: ROUND, outcome: '4-5-6' }],
});

/** The steps of a whole round as the books have them, each with what it is. */
const ROUNDS: Readonly<Record<Order, readonly (readonly [Phase, Kind])[]>> = {
  'open-cover': [
    ['betting', 'bets'],
    ['closed', 'lastCall'],
    ['moving', 'running'],
    ['rest', 'landed'],
    ['entering', 'landed'],
    ['entered', 'entered'],
    ['settling', 'result'],
  ],
  covered: [
    ['moving', 'covered'],
    ['betting', 'bets'],
    ['closed', 'lastCall'],
    ['entering', 'landed'],
    ['entered', 'entered'],
    ['settling', 'result'],
  ],
  wheel: [
    ['betting', 'bets'],
    ['spinning', 'bets'],
    ['closed', 'lastCall'],
    ['rest', 'landed'],
    ['entered', 'entered'],
    ['settling', 'result'],
  ],
};
const STEPS = Object.entries(ROUNDS).flatMap(([order, steps]) =>
  steps.map(([phase, kind]) => [order as Order, phase, kind] as const),
);
const motion = { faces: ['4', '5', '6'] };

describe.each(STEPS)('%s, %s', (order, phase, kind) => {
  const now = moment(phase === 'settling' ? settling : room(phase), order, { motion });

  test('is what it is', () => expect([now.kind, now.between]).toEqual([kind, false]));
  test('shows a result only once it is announced', () => {
    expect(now.result?.outcome).toBe(phase === 'settling' ? '4-5-6' : undefined);
  });
  test('shows no face that moves or lies under a cover', () => {
    expect(now.moving).toBe(phase === 'moving' || phase === 'spinning');
    expect(now.hidden).toBe(order === 'covered' && ['moving', 'betting', 'closed'].includes(phase));
    if (now.moving || now.hidden) expect(now.faces).toEqual([]);
  });
  test('shows nothing of the round before once this one is under way', () => {
    if (phase === 'betting') expect(now.faces).toEqual(order === 'covered' ? [] : ['1', '1', '2']);
    else expect(now.faces).not.toEqual(['1', '1', '2']);
    if (phase !== 'betting' && phase !== 'settling') expect(moment(room(phase), order).faces).toEqual([]);
  });
});

test('a result stands until the next round begins, and says of which round it is', () => {
  expect(moment(settling, 'open-cover').result).toMatchObject({ round: ROUND, lit: { A: ['big'] } });
  expect(moment(over, 'open-cover')).toMatchObject({ kind: 'result', between: true, faces: ['4', '5', '6'] });
  expect(moment(over, 'open-cover').result).toMatchObject({ round: ROUND, outcome: '4-5-6' });
  expect(moment({ ...over, open: false }, 'wheel').kind).toBe('result');
});

test('a result announced with its entry is shown and lit before anything is collected', () => {
  expect(moment(announced, 'covered', { motion })).toMatchObject({ kind: 'result', between: false });
  expect(moment(announced, 'covered').result).toMatchObject({ round: ROUND, outcome: '4-5-6', lit: { A: ['big'] } });
  expect(moment(announced, 'covered').faces).toEqual(['4', '5', '6']);
});

test('a void round has no result, though the one before it had', () => {
  const past = [BEFORE, { round: ROUND, outcome: null }];
  expect(moment({ ...over, result: null, lit: {}, past }, 'open-cover')).toMatchObject({ kind: 'void', result: null });
});

test('before the first round a table is ready, or closed', () => {
  const first = room('ready', { round: 1, result: null, past: [] });
  expect(moment(first, 'wheel')).toMatchObject({ kind: 'ready', faces: [], between: true });
  expect(moment({ ...first, open: false }, 'wheel').kind).toBe('closed');
});

test('an interrupted round has neither a result nor open bets', () => {
  expect(moment(room('interrupted'), 'wheel')).toMatchObject({ kind: 'interrupted', result: null, moving: false });
});

test('what a round brought is known when the room and the seat both have it', () => {
  const bet = (stake: number, winnings: number, returned: number): OwnBet => ({
    id: `A1.${stake}`,
    box: 'big',
    stake,
    layout: 'A',
    fate: { collected: winnings + returned ? 0 : stake, winnings, returned, clause: '4.1' },
  });
  const own = (round: number, bets: readonly OwnBet[] = []) =>
    ({ bets, last: { round, outcome: '4-5-6', void: null, bets: [bet(5_00, 5_00, 5_00)] } }) as unknown as Own;
  const mine = (of: RoomLike, seat: Own) => moment(of, 'open-cover', { own: seat }).mine?.net ?? null;
  expect(mine(over, own(ROUND))).toBe(5_00);
  expect(mine(over, own(ROUND - 1))).toBe(null);
  expect(mine(settling, own(ROUND - 1))).toBe(null);
  expect(mine(settling, own(ROUND - 1, [bet(5_00, 0, 0)]))).toBe(-5_00);
  expect(mine(announced, own(ROUND - 1))).toBe(null);
});
