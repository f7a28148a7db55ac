/** A view that is pushed: begun, changed, cut and begun again, and no longer heard when another is looked at. */
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Feed } from './feed.svelte';
import { whenSignedOut } from './http';

class Wire {
  static all: Wire[] = [];
  static readonly CONNECTING = 0;
  readyState = 1;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  closed = false;
  constructor(readonly path: string) {
    Wire.all.push(this);
  }
  close() {
    this.closed = true;
  }
  says(said: object) {
    this.onmessage!({ data: JSON.stringify({ now: 5_000, ...said }) });
  }
  cut(code = 1006) {
    this.onclose!({ code });
  }
}
interface View {
  round: number;
  phase: string;
}
let path = $state<string | null>(null);
let feed: Feed<View>;
let end: () => void;
const look = (next: string | null) => flushSync(() => (path = next));
const last = () => Wire.all.at(-1)!;

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', Wire);
  Wire.all = [];
  path = '/one';
  end = $effect.root(() => {
    feed = new Feed<View>(() => path);
  });
  flushSync();
});
afterEach(() => {
  end();
  vi.useRealTimers();
});

test('what changed is laid over what was there', () => {
  last().says({ snapshot: { round: 7, phase: 'ready' } });
  last().says({ changed: { phase: 'betting' } });
  expect(feed.view).toEqual({ round: 7, phase: 'betting' });
  expect(feed.status).toBe('open');
});

test('after a cut it is begun again, and what was seen stands until then', async () => {
  last().says({ snapshot: { round: 7, phase: 'ready' } });
  last().cut();
  expect([feed.status, feed.view?.round]).toEqual(['lost', 7]);
  await vi.advanceTimersByTimeAsync(200);
  expect(Wire.all).toHaveLength(2);
  last().says({ snapshot: { round: 8, phase: 'ready' } });
  expect([feed.status, feed.view?.round]).toEqual(['open', 8]);
});

test('another path is another view, and the old one is not heard any more', () => {
  const old = last();
  old.says({ snapshot: { round: 7, phase: 'ready' } });
  look('/two');
  expect([feed.view, old.closed, last().path]).toEqual([null, true, '/two']);
  old.says({ snapshot: { round: 7, phase: 'betting' } });
  expect(feed.view).toBe(null);
  look(null);
  expect(last().closed).toBe(true);
  expect(Wire.all).toHaveLength(2);
});

test('whoever is no longer signed in is told so once, and it is not begun again', async () => {
  const heard = vi.fn();
  whenSignedOut(heard);
  last().cut(4001);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([feed.status, heard.mock.calls.length, Wire.all.length]).toEqual(['signed-out', 1, 1]);
});

test('a line on which nothing is heard is given up and made anew', async () => {
  last().says({ snapshot: { round: 7, phase: 'ready' } });
  await vi.advanceTimersByTimeAsync(20_000);
  last().says({ changed: {} });
  await vi.advanceTimersByTimeAsync(29_000);
  expect([feed.status, Wire.all.length]).toEqual(['open', 1]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([feed.status, Wire.all[0]!.closed]).toEqual(['lost', true]);
  await vi.advanceTimersByTimeAsync(200);
  expect(Wire.all).toHaveLength(2);
});
