/** Something that the floor is asked for when its key changes. A late answer to another question is dropped. */
import { untrack } from 'svelte';
import { Denied, silence } from './http';

const AGAIN_MS = 1_000;
const LONGEST_MS = 4_000;
/** How many ms after an answer the next is asked for, by what was answered; 0: never. */
type Every<V> = number | ((value: V) => number);

export class Resource<K, V> {
  /** The last answer; it stands while the next is waited for. */
  value = $state.raw<V | null>(null);
  /** Why there is no answer to what was asked last. */
  error = $state.raw<Denied | null>(null);
  #turn = $state(0);

  /** Made while a component is. A key of null is a question that nobody asks now; `every`: see `asking`. */
  constructor(key: () => K | null, ask: (key: K) => Promise<V>, every: Every<V> = 0, pause = 0) {
    const asked = $derived(JSON.stringify(key()));
    $effect(() => {
      void this.#turn;
      const now = JSON.parse(asked) as K | null;
      if (now === null) return this.#set(null, null);
      return untrack(() =>
        asking(
          () => ask(now),
          every,
          (value, error) => this.#set(value ?? this.value, error),
          pause,
        ),
      );
    });
  }

  /** Ask once more: something was done that may change the answer. */
  again(): void {
    this.#turn += 1;
  }

  #set(value: V | null, error: Denied | null): void {
    this.value = value;
    this.error = error;
  }
}

/** Asks at once, again after silence, and every so often if that is wished while the page is seen; until it is ended. */
export function asking<V>(
  ask: () => Promise<V>,
  every: Every<V>,
  receive: (value: V | null, error: Denied | null) => void,
  pause = 0,
): () => void {
  let ended = false;
  let silent = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  async function look(): Promise<void> {
    try {
      const value = await ask();
      silent = 0;
      if (!ended) receive(value, null);
      wait(typeof every === 'number' ? every : every(value));
    } catch (no) {
      const error = no instanceof Denied ? no : new Denied(0, 'unknown', String(no));
      if (!ended) receive(null, error);
      if (silence(error)) wait(Math.min(LONGEST_MS, AGAIN_MS * 2 ** silent++));
      else wait(typeof every === 'number' ? every : 0);
    }
  }
  function wait(ms: number): void {
    if (ms && !ended) timer = setTimeout(next, ms);
  }
  function next(): void {
    if (globalThis.document?.hidden) wait(AGAIN_MS);
    else void look();
  }
  if (pause) timer = setTimeout(() => void look(), pause);
  else void look();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}
