/** The line of a terminal against a floor of cardboard: kept before sent, sent again, applied once. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { RoomView } from '../wire';
import { Line } from './cardboard';
import { TerminalConnection } from './terminal.svelte';

let kept: Map<string, string>;
let lines: Line[];
const keep = {
  getItem: (key: string) => kept.get(key) ?? null,
  setItem: (key: string, text: string) => void kept.set(key, text),
};
let doors: string[];
let reloads: number;
const connect = () =>
  new TerminalConnection(
    'ws://floor',
    'a-token-of-some-length',
    keep,
    (to) => {
      doors.push(to);
      lines.push(new Line());
      return lines.at(-1)!;
    },
    () => (reloads += 1),
  );

beforeEach(() => {
  vi.useFakeTimers();
  kept = new Map();
  lines = [];
  doors = [];
  reloads = 0;
});

test('a bet is kept before it is sent, and forgotten when it is answered', async () => {
  const floor = connect();
  lines[0]!.greet();
  const [bet] = floor.bet(7, [{ box: 'small', stake: 5_00 }]);
  expect([...kept.values()].join()).toContain(bet!.id);
  expect(lines[0]!.ids().at(-1)).toBe(bet!.id);
  lines[0]!.sends({ said: 'ok', id: bet!.id, credit: 95_00, held: 5_00, bet: `A1.${bet!.id}` });
  expect((await bet!.answer).said).toBe('ok');
  expect([...kept.values()]).toEqual(['[]']);
  expect(floor.own?.bets).toEqual([{ id: `A1.${bet!.id}`, box: 'small', stake: 5_00, layout: 'A' }]);
  expect([floor.own?.credit, floor.own?.held]).toEqual([95_00, 5_00]);
});

test('the first bet of a round is of that round, and of no bet before it', () => {
  const floor = connect();
  lines[0]!.greet(7, [{ id: 'A1.old', box: 'big', stake: 5_00, layout: 'A' }]);
  lines[0]!.room({ round: 8 });
  floor.bet(8, [{ box: 'small', stake: 5_00 }]);
  const [bet] = lines[0]!.registers();
  expect([floor.own?.round, floor.own?.bets.map(({ id }) => id)]).toEqual([8, [bet]]);
});

test('bets of one touch travel together, at most a hundred in a message, each answered by itself', () => {
  const floor = connect();
  lines[0]!.greet();
  const bets = floor.bet(
    7,
    Array.from({ length: 120 }, (_, number) => ({ box: `total:${number}`, stake: 5_00 })),
  );
  expect(lines[0]!.sent.slice(1).map((sent) => (sent['bets'] as unknown[]).length)).toEqual([100, 20]);
  lines[0]!.sends({ said: 'no', id: bets[5]!.id, reason: 'maximum', message: 'over', clause: '3.3' });
  expect(floor.open).toHaveLength(119);
});

test('what a cut left open is sent again with the same id, and counts once', () => {
  const floor = connect();
  lines[0]!.greet();
  const id = floor.bet(7, [{ box: 'small', stake: 5_00 }])[0]!.id;
  lines[0]!.onclose?.({ code: 1006, reason: '' });
  expect(floor.status).toBe('lost');
  vi.advanceTimersByTime(1_000);
  lines[1]!.greet(7, [{ id: `A1.${id}`, box: 'small', stake: 5_00, layout: 'A' }]);
  expect(lines[1]!.ids()).toEqual(['hello', id]);
  lines[1]!.sends({ said: 'ok', id, credit: 95_00, held: 5_00, bet: `A1.${id}` });
  expect(floor.own?.bets).toHaveLength(1);
  expect(floor.open).toEqual([]);
});

test('a page loaded anew asks for the answers that the last one did not get', () => {
  const first = connect();
  lines[0]!.greet();
  void first.act({ do: 'ticket-out', amount: 10_00 });
  const id = String(lines[0]!.sent.at(-1)!['id']);
  connect();
  lines[1]!.greet();
  expect(lines[1]!.sent.at(-1)).toMatchObject({ do: 'ticket-out', id });
});

test('questions are not asked again by a page loaded anew', () => {
  void connect().recall();
  expect([...kept.values()]).toEqual(['[]']);
});

test('a line that does not answer is given up and made anew; a quiet one is asked first', () => {
  const floor = connect();
  lines[0]!.greet();
  vi.advanceTimersByTime(4_100);
  expect(lines[0]!.sent.at(-1)).toEqual({ do: 'ping' });
  lines[0]!.sends({ said: 'pong', now: 1_004_100 });
  vi.advanceTimersByTime(4_100);
  expect(floor.status).toBe('open');
  vi.advanceTimersByTime(4_100);
  expect(floor.status).toBe('lost');
  vi.advanceTimersByTime(1_000);
  expect(lines).toHaveLength(2);
});

test('nothing is sent while the line is down, and an old bet is not put on a new round', () => {
  const floor = connect();
  const id = floor.bet(6, [{ box: 'small', stake: 5_00 }])[0]!.id;
  expect(lines[0]!.sent).toEqual([]);
  lines[0]!.greet(7);
  expect(lines[0]!.ids()).toEqual(['hello', id]);
  lines[0]!.sends({ said: 'ok', id, credit: 95_00, held: 0 });
  expect(floor.own?.bets).toEqual([]);
});

test('a seat that was opened elsewhere is not taken back', () => {
  const floor = connect();
  lines[0]!.greet();
  lines[0]!.onclose?.({ code: 4002, reason: 'this seat is open on another terminal' });
  vi.advanceTimersByTime(60_000);
  expect(floor.status).toBe('elsewhere');
  expect(lines).toHaveLength(1);
});

test('news change only what they name; rounds that are over go by their number', () => {
  const floor = connect();
  lines[0]!.greet();
  const past = [{ round: 6, outcome: '1-2-3', void: null }];
  lines[0]!.sends({ said: 'news', seq: 4, closes_in: null, changed: { phase: 'ready', past } });
  lines[0]!.sends({ said: 'news', seq: 5, closes_in: null, changed: { past: [{ ...past[0], outcome: '1-2-4' }] } });
  expect(floor.room).toMatchObject({
    round: 7,
    phase: 'ready',
    past: [{ round: 6, outcome: '1-2-4', void: null }],
  } as unknown as RoomView);
  expect(floor.closesAt).toBeNull();
  lines[0]!.onclose?.({ code: 1006, reason: '' });
  vi.advanceTimersByTime(1_000);
  lines[1]!.onopen?.();
  expect(lines[1]!.sent[0]).toMatchObject({ do: 'hello', seen: 5 });
});

test('a terminal goes where its table has gone, and takes what is not answered along', () => {
  const floor = connect();
  lines[0]!.greet();
  const id = floor.bet(7, [{ box: 'small', stake: 5_00 }])[0]!.id;
  lines[0]!.sends({ said: 'moved', address: 'ws://other' });
  lines[0]!.onclose?.({ code: 4006, reason: '' });
  vi.advanceTimersByTime(1);
  expect(doors).toEqual(['ws://floor', 'ws://other']);
  lines[1]!.greet(7);
  expect(lines[1]!.ids()).toEqual(['hello', id]);
});

test('one who finds nobody looks at the other doors; one he was sent to and cannot enter makes him load anew', () => {
  const floor = connect();
  lines[0]!.onopen?.();
  lines[0]!.sends({ said: 'welcome', version: 1, table: 't', seat: 'A1', now: 1_000_000, nodes: ['ws://a', 'ws://b'] });
  for (let cut = 0; cut < 4; cut += 1) {
    lines.at(-1)!.onclose?.({ code: 1006, reason: '' });
    vi.advanceTimersByTime(4_000);
  }
  expect(doors).toEqual(['ws://floor', 'ws://floor', 'ws://a', 'ws://b', 'ws://floor']);
  expect(reloads).toBe(0);
  lines.at(-1)!.sends({ said: 'moved', address: 'ws://new' });
  for (let cut = 0; cut < 4; cut += 1) {
    lines.at(-1)!.onclose?.({ code: 1006, reason: '' });
    vi.advanceTimersByTime(4_000);
  }
  expect(reloads).toBeGreaterThan(0);
  floor.end();
});

test('a machine that has lost the database is left for another after a while', () => {
  connect();
  lines[0]!.onopen?.();
  lines[0]!.sends({
    said: 'welcome',
    version: 1,
    table: 't',
    seat: 'A1',
    now: 1_000_000,
    nodes: ['ws://a', 'ws://floor'],
  });
  lines[0]!.sends({
    said: 'room',
    seq: 3,
    room: { round: 7, phase: 'betting', past: [], away: true },
    closes_in: null,
  });
  for (let beat = 0; beat < 4; beat += 1) {
    vi.advanceTimersByTime(2_500);
    lines[0]!.sends({ said: 'pong', now: 1_000_000 });
  }
  vi.advanceTimersByTime(500);
  expect(doors).toEqual(['ws://floor', 'ws://a']);
});
