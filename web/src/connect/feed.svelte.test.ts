/** A view that is pushed: begun, changed, cut and begun again, and not taken any more once another is shown. */
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
  sends(push: object) {
    this.onmessage!({ data: JSON.stringify({ now: 5_000, ...push }) });
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
  last().sends({ snapshot: { round: 7, phase: 'ready' } });
  last().sends({ changed: { phase: 'betting' } });
  expect(feed.view).toEqual({ round: 7, phase: 'betting' });
  expect(feed.status).toBe('open');
});

test('after a cut it is begun again, and what was seen stands until then', async () => {
  last().sends({ snapshot: { round: 7, phase: 'ready' } });
  last().cut();
  expect([feed.status, feed.view?.round]).toEqual(['lost', 7]);
  await vi.advanceTimersByTimeAsync(200);
  expect(Wire.all).toHaveLength(2);
  last().sends({ snapshot: { round: 8, phase: 'ready' } });
  expect([feed.status, feed.view?.round]).toEqual(['open', 8]);
});

test('another path is another view, and nothing more is taken from the old one', () => {
  const old = last();
  old.sends({ snapshot: { round: 7, phase: 'ready' } });
  look('/two');
  expect([feed.view, old.closed, last().path]).toEqual([null, true, '/two']);
  old.sends({ snapshot: { round: 7, phase: 'betting' } });
  expect(feed.view).toBe(null);
  look(null);
  expect(last().closed).toBe(true);
  expect(Wire.all).toHaveLength(2);
});

test('the end of a session is reported once, and the view is not begun again', async () => {
  const listener = vi.fn();
  whenSignedOut(listener);
  last().cut(4001);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([feed.status, listener.mock.calls.length, Wire.all.length]).toEqual(['signed-out', 1, 1]);
});

test('a silent connection is given up and made anew', async () => {
  last().sends({ snapshot: { round: 7, phase: 'ready' } });
  await vi.advanceTimersByTimeAsync(20_000);
  last().sends({ changed: {} });
  await vi.advanceTimersByTimeAsync(29_000);
  expect([feed.status, Wire.all.length]).toEqual(['open', 1]);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([feed.status, Wire.all[0]!.closed]).toEqual(['lost', true]);
  await vi.advanceTimersByTimeAsync(200);
  expect(Wire.all).toHaveLength(2);
});
