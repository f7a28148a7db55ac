/**
 * A Player Terminal's line to the floor. What is asked is kept on this machine before it is sent, sent again with the
 * same id after every cut, and forgotten when it is answered: a bet counts once or visibly not at all.
 */
import type { AnyDo, AnySaid, DisplayView, No, Ok, Own, Welcome } from '../wire';
import { nextId } from './ids';

export type Status = 'connecting' | 'open' | 'lost' | 'refused' | 'elsewhere';
type Asking<D> = D extends { id: string } ? Omit<D, 'id'> : never;
export type Ask = Asking<AnyDo>;
export type Asked = Extract<AnyDo, { id: string }>;
export type Answer = Ok | No;
/** What was asked and not answered yet. */
export interface Open {
  asked: Asked;
  /** It was sent before a cut, or before this page was loaded. */
  again: boolean;
}

export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  send(body: string): void;
  close(): void;
}

const VERSION = 1;
const PATIENCE = 4_000; // ms without an answer before the line is given up and made anew
const WAITS = [200, 500, 1_000, 2_000, 3_000];
const NEVER_AGAIN: Record<number, Status> = { 4001: 'refused', 4002: 'elsewhere' };

export class TerminalConnection {
  status = $state<Status>('connecting');
  why = $state('');
  welcome = $state.raw<Welcome | null>(null);
  room = $state.raw<DisplayView | null>(null);
  own = $state.raw<Own | null>(null);
  /** When bets close, on `performance.now()`'s clock. */
  closesAt = $state.raw<number | null>(null);
  open = $state.raw<readonly Open[]>([]);
  seen = 0;

  #socket: Socket | null = null;
  #waiting = new Map<string, (answer: Answer) => void>();
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setTimeout> | undefined;
  #ended = false;

  constructor(
    readonly address: string,
    readonly token: string,
    readonly keep: Pick<Storage, 'getItem' | 'setItem'> = localStorage,
    readonly make: (address: string) => Socket = (to) => new WebSocket(to) as unknown as Socket,
  ) {
    this.open = this.#kept().map((asked) => ({ asked, again: true }));
    this.#connect();
  }

  /** Ask the floor; resolved once it is on disk, or refused. The id is kept before anything is sent. */
  ask(ask: Ask, id = nextId()): Promise<Answer> {
    const asked = { ...ask, id } as Asked;
    this.#remember([...this.open, { asked, again: false }]);
    const answer = new Promise<Answer>((resolve) => this.#waiting.set(id, resolve));
    this.#send(asked);
    return answer;
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#watch);
    this.#socket?.close();
  }

  // ---- the line

  #connect(): void {
    const socket = this.make(this.address);
    this.#socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ do: 'hello', version: VERSION, token: this.token, seen: 0 }));
    socket.onmessage = (event) => this.#hear(JSON.parse(event.data) as AnySaid);
    socket.onclose = (event) => {
      if (this.#socket !== socket) return;
      this.#lost(event.code, event.reason);
    };
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => this.#anew(), PATIENCE * 2);
  }

  #lost(code: number, reason: string): void {
    this.#socket = null;
    clearTimeout(this.#watch);
    if (this.#ended) return;
    this.why = reason;
    const final = NEVER_AGAIN[code];
    if (final) {
      this.status = final;
      return;
    }
    this.status = this.welcome ? 'lost' : 'connecting';
    this.open = this.open.map((open) => ({ ...open, again: true }));
    const wait = WAITS[Math.min(this.#tries, WAITS.length - 1)]!;
    this.#tries += 1;
    this.#timer = setTimeout(() => this.#connect(), wait);
  }

  /** The line says nothing: give it up and make a new one. */
  #anew(): void {
    const socket = this.#socket;
    this.#lost(1006, '');
    socket?.close();
  }

  #send(asked: Asked): void {
    if (this.status !== 'open') return;
    this.#socket?.send(JSON.stringify(asked));
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => this.#anew(), PATIENCE);
  }

  // ---- what the floor says

  #hear(said: AnySaid): void {
    clearTimeout(this.#watch);
    switch (said.said) {
      case 'welcome':
        this.welcome = said;
        this.status = 'open';
        this.#tries = 0;
        for (const { asked } of this.open) this.#send(asked);
        break;
      case 'room':
        this.room = said.room;
        this.seen = said.seq;
        this.closesAt = said.closes_in === null ? null : performance.now() + said.closes_in;
        break;
      case 'own':
        this.own = said;
        break;
      case 'ok':
      case 'no':
        this.#answered(said);
        break;
      case 'unknown':
        this.#again(said.id);
        break;
      case 'fault':
        console.error(`the floor could not read this terminal: ${said.message}`);
        break;
    }
    if (this.#waitsForAnswer()) this.#watch = setTimeout(() => this.#anew(), PATIENCE);
  }

  #waitsForAnswer(): boolean {
    return this.status === 'open' && this.open.length > 0;
  }

  #again(id: string): void {
    const open = this.open.find(({ asked }) => asked.id === id);
    if (open) setTimeout(() => this.#send(open.asked), 200);
  }

  #answered(said: Answer): void {
    const open = this.open.find(({ asked }) => asked.id === said.id);
    if (!open) return;
    this.#remember(this.open.filter(({ asked }) => asked.id !== said.id));
    if (said.said === 'ok') this.#apply(open.asked, said);
    this.#waiting.get(said.id)?.(said);
    this.#waiting.delete(said.id);
  }

  /** A bet or a withdrawal that is on disk is the seat's own at once; the next push says the same. */
  #apply(asked: Asked, said: Ok): void {
    if (!this.own || !this.welcome) return;
    let bets = this.own.bets;
    if (asked.do === 'bet' && asked.round === this.room?.round) {
      const id = `${this.welcome.seat}.${asked.id}`;
      if (!bets.some((bet) => bet.id === id)) bets = [...bets, { id, box: asked.box, stake: asked.stake }];
    } else if (asked.do === 'withdraw') {
      bets = bets
        .map((bet) => (bet.id === asked.bet ? { ...bet, stake: bet.stake - asked.amount } : bet))
        .filter((bet) => bet.stake > 0);
    }
    this.own = { ...this.own, bets, credit: said.credit, held: said.held };
  }

  // ---- what is kept on this machine

  get #key(): string {
    return `croupier.unanswered.${this.token.slice(0, 12)}`;
  }

  #remember(open: readonly Open[]): void {
    this.open = open;
    this.keep.setItem(this.#key, JSON.stringify(open.map(({ asked }) => asked)));
  }

  #kept(): Asked[] {
    try {
      return JSON.parse(this.keep.getItem(this.#key) ?? '[]') as Asked[];
    } catch {
      return [];
    }
  }
}
