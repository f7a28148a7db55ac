/** The line of a terminal against a floor of cardboard: kept before sent, sent again, applied once. */
import { beforeEach, expect, test, vi } from 'vitest';
import type { AnySaid, DisplayView } from '../wire';
import { TerminalConnection, type Socket } from './terminal.svelte';

class Line implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  sent: Record<string, unknown>[] = [];
  send(body: string) {
    this.sent.push(JSON.parse(body) as Record<string, unknown>);
  }
  close() {}
  says(said: AnySaid) {
    this.onmessage?.({ data: JSON.stringify(said) });
  }
  greet(round = 7, bets: { id: string; box: string; stake: number }[] = []) {
    this.onopen?.();
    this.says({ said: 'welcome', version: 1, table: 't', seat: 'A1', layout: 'A', seq: 3 });
    this.says({ said: 'room', seq: 3, room: { round, phase: 'betting' } as DisplayView, closes_in: 5_000 });
    this.says({ said: 'own', seq: 3, credit: 100_00, held: 0, owes: 0, bets, last_fates: [] });
  }
}

let kept: Map<string, string>;
let lines: Line[];
const keep = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, text: string) => void kept.set(key, text) };
const connect = () =>
  new TerminalConnection('ws://floor', 'a-token-of-some-length', keep, () => {
    lines.push(new Line());
    return lines.at(-1)!;
  });

beforeEach(() => {
  vi.useFakeTimers();
  kept = new Map();
  lines = [];
});

test('a bet is kept before it is sent, and forgotten when it is answered', async () => {
  const floor = connect();
  lines[0]!.greet();
  const answer = floor.ask({ do: 'bet', round: 7, box: 'small', stake: 5_00 });
  const sent = lines[0]!.sent.at(-1)!;
  expect([...kept.values()].join()).toContain(String(sent['id']));
  lines[0]!.says({ said: 'ok', id: String(sent['id']), credit: 95_00, held: 5_00 });
  expect((await answer).said).toBe('ok');
  expect([...kept.values()]).toEqual(['[]']);
  expect(floor.own?.bets).toEqual([{ id: `A1.${String(sent['id'])}`, box: 'small', stake: 5_00 }]);
  expect([floor.own?.credit, floor.own?.held]).toEqual([95_00, 5_00]);
});

test('what a cut left open is sent again with the same id, and counts once', () => {
  const floor = connect();
  lines[0]!.greet();
  void floor.ask({ do: 'bet', round: 7, box: 'small', stake: 5_00 });
  const id = String(lines[0]!.sent.at(-1)!['id']);
  lines[0]!.onclose?.({ code: 1006, reason: '' });
  expect(floor.status).toBe('lost');
  vi.advanceTimersByTime(1_000);
  lines[1]!.greet(7, [{ id: `A1.${id}`, box: 'small', stake: 5_00 }]);
  expect(lines[1]!.sent.map((sent) => sent['id'] ?? sent['do'])).toEqual(['hello', id]);
  lines[1]!.says({ said: 'ok', id, credit: 95_00, held: 5_00 });
  expect(floor.own?.bets).toHaveLength(1);
  expect(floor.open).toEqual([]);
});

test('a page loaded anew asks what the last one did not hear the answer of', () => {
  connect();
  lines[0]!.greet();
  void connect; // the first page goes away without an answer
  const first = new TerminalConnection('ws://floor', 'another-token', keep, () => {
    lines.push(new Line());
    return lines.at(-1)!;
  });
  lines[1]!.greet();
  void first.ask({ do: 'ticket-out', amount: 10_00 });
  const id = String(lines[1]!.sent.at(-1)!['id']);
  new TerminalConnection('ws://floor', 'another-token', keep, () => {
    lines.push(new Line());
    return lines.at(-1)!;
  });
  lines[2]!.greet();
  expect(lines[2]!.sent.at(-1)).toMatchObject({ do: 'ticket-out', id });
});

test('a line that does not answer is given up and made anew', () => {
  const floor = connect();
  lines[0]!.greet();
  void floor.ask({ do: 'bet', round: 7, box: 'small', stake: 5_00 });
  vi.advanceTimersByTime(4_001);
  expect(floor.status).toBe('lost');
  vi.advanceTimersByTime(1_000);
  expect(lines).toHaveLength(2);
});

test('nothing is sent while the line is down, and an old bet is not put on a new round', () => {
  const floor = connect();
  void floor.ask({ do: 'bet', round: 6, box: 'small', stake: 5_00 });
  expect(lines[0]!.sent).toEqual([]);
  lines[0]!.greet(7);
  const id = floor.open[0]!.asked.id;
  lines[0]!.says({ said: 'ok', id, credit: 95_00, held: 0 });
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
