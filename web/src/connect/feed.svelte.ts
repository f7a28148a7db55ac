/** What the floor pushes to the staff and to displays: it begins with a snapshot and goes on with what changed. */
import { untrack } from 'svelte';
import { reportSignedOut } from './http';

const SIGN_IN = 4001;
const NOT_FOR_YOU = 1008;
const SILENCE = 30_000; // ms; the floor says something every twenty seconds at the latest

interface Push<View> {
  now: number;
  snapshot?: View;
  changed?: Partial<View>;
}

/** A view that the server pushes: a snapshot, then what changed; a new snapshot after every cut. */
export class Feed<View extends object> {
  view = $state.raw<View | null>(null);
  status = $state<'connecting' | 'open' | 'lost' | 'refused' | 'signed-out'>('connecting');
  /** The floor's clock less that of `performance.now()`; null while it is not known. */
  ahead = $state.raw<number | null>(null);
  #socket: WebSocket | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #silence: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;

  /**
   * Made while a component is, and ended with it. A path of null is a view that nobody looks at now; `whose`: who looks,
   * where the path does not name it.
   */
  constructor(path: () => string | null, whose: () => string | null | undefined = () => null) {
    const at = $derived(path());
    const who = $derived(whose());
    $effect.pre(() => {
      void who;
      const here = at;
      if (here === null) return;
      untrack(() => this.#begin(here));
      return () => this.#end();
    });
  }

  #begin(path: string): void {
    [this.view, this.status, this.ahead, this.#tries] = [null, 'connecting', null, 0];
    this.#connect(path);
  }

  #end(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
    const socket = this.#socket;
    this.#socket = null;
    // A browser warns of a socket that is closed before it was open.
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket?.close();
  }

  /** A moment of the floor's clock on the clock of this page, for countdowns. */
  here(moment: number): number {
    return moment - (this.ahead ?? 0);
  }

  #connect(path: string): void {
    const socket = new WebSocket(path);
    this.#socket = socket;
    socket.onmessage = (event: MessageEvent<string>) => {
      if (this.#socket !== socket) return;
      this.#expect(path);
      this.#receive(JSON.parse(event.data) as Push<View>);
    };
    socket.onclose = (event) => {
      if (this.#socket === socket) this.#lost(path, event.code);
    };
    this.#expect(path);
  }

  #lost(path: string, code: number): void {
    this.#socket = null;
    clearTimeout(this.#silence);
    if (code === SIGN_IN) {
      this.status = 'signed-out';
      reportSignedOut();
    } else if (code === NOT_FOR_YOU) this.status = 'refused';
    else {
      this.status = this.view ? 'lost' : 'connecting';
      this.#timer = setTimeout(() => this.#connect(path), Math.min(3_000, 200 * 2 ** this.#tries++));
    }
  }

  /** Reconnect after a silence: a connection that was cut on the way looks open for ever. */
  #expect(path: string): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      const socket = this.#socket;
      this.#lost(path, 1006);
      socket?.close();
    }, SILENCE);
  }

  #receive(push: Push<View>): void {
    const ahead = push.now - performance.now();
    // A message that came quickly knows the clock best; a tenth of a second is not worth a jump.
    if (this.ahead === null || this.status !== 'open' || Math.abs(ahead - this.ahead) > 100) this.ahead = ahead;
    this.status = 'open';
    this.#tries = 0;
    if (push.snapshot) this.view = push.snapshot;
    else if (push.changed && this.view) this.view = { ...this.view, ...push.changed };
  }
}
