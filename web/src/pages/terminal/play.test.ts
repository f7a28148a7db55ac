/** What a Player does and undoes, against a floor of cardboard. */
import { beforeEach, expect, test } from 'vitest';
import { Line } from '../../connect/cardboard';
import { TerminalConnection } from '../../connect/terminal.svelte';
import type { OwnBet } from '../../wire';
import { moment } from '../../table/moment';
import { Play } from './play.svelte';

let line: Line;
const bet = (id: string, box = 'big'): OwnBet => ({ id, box, stake: 5_00, layout: 'A' });

beforeEach(() => {
  localStorage.clear();
});

function sit(bets: readonly OwnBet[] = []): Play {
  line = new Line();
  const connection = new TerminalConnection('ws://floor', 'token', undefined, () => line);
  line.greet(7, bets);
  return new Play(connection);
}
const lying = (play: Play, home = false) =>
  play.piles(moment(play.line.room!, 'open-cover', { own: play.line.own }), home);
/** What was asked is answered, and whoever waits for that has gone on. */
const settled = () => new Promise((done) => setTimeout(done));

test('a touch is one bet, faint until it is registered, and can be undone', async () => {
  const play = sit();
  play.touch('small');
  expect(lying(play)).toEqual([expect.objectContaining({ box: 'small', amount: 5_00, pending: 5_00 })]);
  const [id] = line.registers();
  await settled();
  expect(lying(play)).toEqual([expect.objectContaining({ box: 'small', amount: 5_00, pending: 0 })]);
  expect(play.may).toMatchObject({ undo: true, double: true, rebet: false });
  await play.undo();
  expect(line.sent.at(-1)).toMatchObject({ do: 'withdraw', bet: id, amount: 5_00 });
  expect(play.may.undo).toBe(false);
});

test('bets from before this page was loaded can be undone one by one', async () => {
  const play = sit([bet('A1.1'), bet('A1.2')]);
  expect(play.acts).toHaveLength(2);
  await play.undo();
  expect(line.sent.at(-1)).toMatchObject({ do: 'withdraw', bet: 'A1.2' });
});

test('a new round has nothing to undo, though the seat gets it a moment later', () => {
  const play = sit([bet('A1.1')]);
  play.taking = true;
  line.room({ round: 8, phase: 'ready', betting: false });
  line.room({ round: 8 });
  expect(play.may).toEqual({ undo: false, clear: false, double: false, rebet: false });
  expect([play.acts, play.bets, play.taking]).toEqual([[], [], false]);
  line.own({ round: 8, last: { round: 7, outcome: '1-2-3', void: null, bets: [bet('A1.1')] } });
  expect(play.may).toEqual({ undo: false, clear: false, double: false, rebet: true });
  play.rebet();
  expect(line.sent.at(-1)).toMatchObject({ do: 'bet', round: 8, bets: [{ box: 'big', stake: 5_00 }] });
});

test('a refused touch leaves nothing to undo, and says why at its box in that round only', async () => {
  const play = sit();
  play.touch('small');
  line.sends({
    said: 'no',
    id: line.ids().at(-1),
    reason: 'maximum',
    message: 'over',
    clause: '3.3',
    case: '',
    facts: {},
  });
  await settled();
  expect(play.may.undo).toBe(false);
  expect([...play.notes.keys()]).toEqual(['small']);
  line.room({ round: 8 });
  expect(play.notes.size).toBe(0);
});

test('no bet is asked for while bets are not open', () => {
  const play = sit();
  line.room({ betting: false, phase: 'closed' });
  const before = line.sent.length;
  play.touch('small');
  expect(line.sent).toHaveLength(before);
  expect(play.notes.has('small')).toBe(true);
});

test('after a result losers are collected and winners paid; they lie until they go home, and the next round has none', () => {
  const play = sit([bet('A1.1'), bet('A1.2', 'small')]);
  const fate = { collected: 0, winnings: 5_00, returned: 5_00, clause: '4.1' };
  const bets = [
    { ...bet('A1.1'), fate },
    { ...bet('A1.2', 'small'), fate: { ...fate, collected: 5_00, winnings: 0, returned: 0 } },
  ];
  line.room({ phase: 'settling', result: '4-5-6', lit: { A: ['big'] }, betting: false });
  line.own({ bets });
  expect(lying(play).map(({ box, kind }) => `${box} ${kind}`)).toEqual(['big placed', 'small lost']);
  const past = [{ round: 7, outcome: '4-5-6', void: null }];
  line.room({ phase: 'ready', round: 8, result: '4-5-6', lit: { A: ['big'] }, betting: false, past });
  line.own({ round: 8, last: { round: 7, outcome: '4-5-6', void: null, bets } });
  const now = [false, true].map((home) => lying(play, home).map(({ kind }) => kind));
  expect(now).toEqual([
    ['placed', 'paid', 'lost'],
    ['home', 'home', 'lost'],
  ]);
  line.room({ round: 8, result: '4-5-6', lit: { A: ['big'] }, past });
  expect(lying(play)).toEqual([]);
});
