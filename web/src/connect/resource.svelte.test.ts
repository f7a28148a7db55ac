/** What is asked, asked again, and no longer taken. */
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Denied } from './http';
import { asking, Resource } from './resource.svelte';

const refused = new Denied(409, 'closed', 'bets are closed');
const silent = new Denied(0, 'unknown', 'no answer');
const busy = new Denied(429, 'too-many', 'wait');

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A floor that gives these answers one after the other. */
function floor(...answers: (string | Denied)[]) {
  const ask = vi.fn(() => {
    const next = answers.shift() ?? 'the same';
    return typeof next === 'string' ? Promise.resolve(next) : Promise.reject(next);
  });
  const received: (string | null)[] = [];
  return {
    ask,
    received,
    receive: (value: string | null, error: Denied | null) => received.push(value ?? error!.reason),
  };
}

test('one answer, and no other question', async () => {
  const { ask, received, receive } = floor('all is well');
  asking(ask, 0, receive);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(received).toEqual(['all is well']);
  expect(ask).toHaveBeenCalledTimes(1);
});

test('a refusal stands; silence and a floor that is busy are asked again', async () => {
  const { ask, received, receive } = floor(silent, busy, refused);
  asking(ask, 0, receive);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(received).toEqual(['unknown', 'too-many', 'closed']);
});

test('a floor that stays silent is asked less and less often, and never given up', async () => {
  const { ask } = floor(...Array<Denied>(100).fill(silent));
  asking(ask, 0, () => undefined);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(ask.mock.calls.length).toBeGreaterThan(14);
  expect(ask.mock.calls.length).toBeLessThan(20);
});

test('what comes every so often comes until it is ended', async () => {
  const { ask, received, receive } = floor('one', 'two', 'three', 'four');
  const end = asking(ask, 5_000, receive);
  await vi.advanceTimersByTimeAsync(10_500);
  end();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(received).toEqual(['one', 'two', 'three']);
  expect(ask).toHaveBeenCalledTimes(3);
});

test('an answer that comes after the end is not taken', async () => {
  let answer: (text: string) => void = () => undefined;
  const received: unknown[] = [];
  const end = asking(
    () => new Promise<string>((done) => (answer = done)),
    0,
    (value) => received.push(value),
  );
  end();
  answer('too late');
  await vi.advanceTimersByTimeAsync(1_000);
  expect(received).toEqual([]);
});

test('an answer to an older question does not replace that to a newer one', async () => {
  const answers = new Map<string, (text: string) => void>();
  let key = $state<string | null>(null);
  let found!: Resource<string, string>;
  const end = $effect.root(() => {
    found = new Resource(
      () => key,
      (asked) => new Promise<string>((done) => answers.set(asked, done)),
    );
  });
  const ask = (next: string | null) => flushSync(() => (key = next));
  ask('old');
  ask('new');
  answers.get('new')!('about the new');
  answers.get('old')!('about the old');
  await vi.advanceTimersByTimeAsync(0);
  expect([...answers.keys()]).toEqual(['old', 'new']);
  expect(found.value).toBe('about the new');
  ask(null);
  expect(found.value).toBe(null);
  end();
});

test('a key that says the same is not asked again, unless that is wished', async () => {
  const { ask } = floor();
  let key = $state.raw({ of: 'book' });
  let found!: Resource<{ of: string }, string>;
  const end = $effect.root(() => {
    found = new Resource(() => key, ask);
  });
  flushSync();
  flushSync(() => (key = { of: 'book' }));
  expect(ask).toHaveBeenCalledTimes(1);
  flushSync(() => found.again());
  expect(ask).toHaveBeenCalledTimes(2);
  end();
});
