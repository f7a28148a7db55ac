/**
 * A Player Terminal's line to the floor. What is asked is kept on this machine before it is sent, sent again with the
 * same id after every cut, and forgotten when it is answered: a bet counts once or visibly not at all.
 */
import type {
  AnyDo,
  AnySaid,
  Book,
  ShowLayout,
  MotionShown,
  News,
  No,
  Ok,
  Own,
  Recall,
  Receipt,
  Room,
  Rounds,
  RoomView,
  Rules,
  Signed,
  TicketIn,
  TicketOut,
  Welcome,
  Withdraw,
} from '../wire';
import { unique } from '../app/grouped';
import { nextId } from './ids';

export type Status = 'connecting' | 'open' | 'lost' | 'refused' | 'elsewhere' | 'full';
/** One bet as it is kept here; on the wire several travel in one message. */
export interface AskedBet {
  do: 'bet';
  id: string;
  round: number;
  box: string;
  stake: number;
}
export type Act = AskedBet | Withdraw | TicketIn | TicketOut | ShowLayout;
export type Question = Recall | Receipt | Rules;
export type Asked = Act | Question;
export type Answer = Ok | No;
type Unsent<D> = D extends { id: string } ? Omit<D, 'id'> : never;
/** What was asked and not answered yet; `again` when it was sent before a cut, or before this page was loaded. */
export interface Open {
  asked: Asked;
  again: boolean;
}

export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { data: string }) => void) | null;
  onclose: ((event: { code: number; reason: string }) => void) | null;
  send(body: string): void;
  close(): void;
}
type Reply = Ok | No | Rounds | Signed | Book;

const VERSION = 1;
const QUIET = 4_000; // ms of silence before the floor is asked whether it is there
const PATIENCE = 4_000; // ms more before the line is given up and made anew
const WAITS = [150, 400, 1_000, 2_000, 3_000];
const MOST_BETS = 100; // in one message
const MOVED = 4006; // the floor named another address
const WITHOUT = 8_000; // ms without a database after which another machine of the floor is asked
const STRANGE = 4; // doors that did not open before this page is loaded anew: it may only go where the floor allowed it
const NEVER_AGAIN: Record<number, Status> = { 4001: 'refused', 4002: 'elsewhere' };
const QUESTIONS = new Set<string>(['recall', 'receipt', 'rules']);

export class TerminalConnection {
  status = $state<Status>('connecting');
  welcome = $state.raw<Welcome | null>(null);
  room = $state.raw<RoomView | null>(null);
  own = $state.raw<Own | null>(null);
  motion = $state.raw<MotionShown | null>(null);
  /** When bets close, on `performance.now()`'s clock. */
  closesAt = $state.raw<number | null>(null);
  /** The floor's clock less `performance.now()`'s. */
  ahead = $state(0);
  open = $state.raw<readonly Open[]>([]);

  #socket: Socket | null = null;
  #seen = 0;
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
  #waiting = new Map<string, (reply: Reply) => void>();
  #tries = 0;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #watch: ReturnType<typeof setTimeout> | undefined;
  #ended = false;
  /** Where the floor may be found; the first is the one this terminal was given. */
  #doors: string[];
  #at: string;
  #sent = false;
  #away: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly address: string,
    readonly token: string,
    readonly keep: Pick<Storage, 'getItem' | 'setItem'> = localStorage,
    readonly make: (address: string) => Socket = (to) => new WebSocket(to) as unknown as Socket,
    readonly reload: () => void = () => location.reload(),
  ) {
    this.#doors = [address];
    this.#at = address;
    this.open = this.#kept().map((asked) => ({ asked, again: true }));
    this.#connect();
  }

  // ---- asking

  /** Bets of one touch: each is resolved once it is on disk, or refused. All are kept before anything is sent. */
  bet(round: number, bets: readonly { box: string; stake: number }[]): { id: string; answer: Promise<Answer> }[] {
    const asked = bets.map(({ box, stake }): AskedBet => ({ do: 'bet', id: nextId(), round, box, stake }));
    const answers = asked.map(({ id }) => ({ id, answer: this.#answer<Answer>(id) }));
    this.#remember([...this.open, ...asked.map((one) => ({ asked: one, again: false }))]);
    this.#send(asked);
    return answers;
  }

  act(act: Unsent<Withdraw | TicketIn | TicketOut | ShowLayout>): Promise<Answer> {
    return this.#ask({ ...act, id: nextId() } as Act);
  }

  recall(round: number | null = null): Promise<Rounds | No> {
    return this.#ask({ do: 'recall', id: nextId(), round });
  }

  receipt(bet: string, round: number | null): Promise<Signed | No> {
    return this.#ask({ do: 'receipt', id: nextId(), bet, round });
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#watch);
    clearTimeout(this.#away);
    this.#socket?.close();
  }

  #ask<R extends Reply>(asked: Asked): Promise<R> {
    const answer = this.#answer<R>(asked.id);
    this.#remember([...this.open, { asked, again: false }]);
    this.#send([asked]);
    return answer;
  }

  #answer<R extends Reply>(id: string): Promise<R> {
    return new Promise<R>((resolve) => this.#waiting.set(id, resolve as (reply: Reply) => void));
  }

  // ---- the line

  #connect(): void {
    const socket = this.make(this.#at);
    this.#socket = socket;
    socket.onopen = () =>
      this.#post({ do: 'hello', version: VERSION, token: this.token, seen: this.room ? this.#seen : 0 });
    socket.onmessage = (event) => this.#receive(JSON.parse(event.data) as AnySaid);
    socket.onclose = (event) => {
      if (this.#socket === socket) this.#lost(event.code);
    };
    this.#expect();
  }

  #lost(code: number): void {
    this.#socket = null;
    clearTimeout(this.#watch);
    clearTimeout(this.#away);
    if (this.#ended) return;
    const final = NEVER_AGAIN[code];
    this.status = final ?? (this.welcome ? 'lost' : 'connecting');
    if (final) return;
    this.open = this.open.map((open) => ({ ...open, again: true }));
    const wait = code === MOVED ? 0 : WAITS[Math.min(this.#tries, WAITS.length - 1)]!;
    if (code !== MOVED) this.#nextDoor();
    this.#retry = setTimeout(() => this.#connect(), wait);
  }

  /** Once more where it was; then where else the floor has doors. One it was sent to may be none this page may use. */
  #nextDoor(): void {
    this.#tries += 1;
    if (this.#sent && this.#tries >= STRANGE) this.reload();
    if (this.#tries > 1) this.#at = this.#doors[(this.#doors.indexOf(this.#at) + 1) % this.#doors.length]!;
  }

  /** Reconnect after a silence. */
  #expect(): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      const socket = this.#socket;
      this.#lost(1006);
      socket?.close();
    }, PATIENCE);
  }

  /** Nothing is asked: after a while the floor is, whether it is there. */
  #rest(): void {
    clearTimeout(this.#watch);
    this.#watch = setTimeout(() => {
      this.#post({ do: 'ping' });
      this.#expect();
    }, QUIET);
  }

  #post(message: AnyDo): void {
    this.#socket?.send(JSON.stringify(message));
  }

  #send(all: readonly Asked[]): void {
    if (this.status !== 'open' || all.length === 0) return;
    const bets = all.filter((asked) => asked.do === 'bet');
    for (const round of unique(bets.map((bet) => bet.round)))
      for (let from = 0, these = bets.filter((bet) => bet.round === round); from < these.length; from += MOST_BETS)
        this.#post({
          do: 'bet',
          round,
          bets: these.slice(from, from + MOST_BETS).map(({ id, box, stake }) => ({ id, box, stake })),
        });
    for (const asked of all) if (asked.do !== 'bet') this.#post(asked);
    this.#expect();
  }

  // ---- what the floor says

  #receive(message: AnySaid): void {
    switch (message.said) {
      case 'welcome':
        this.welcome = message;
        this.ahead = message.now - performance.now();
        this.#doors = unique([this.address, ...message.nodes]);
        this.#sent = false;
        break;
      case 'moved':
        this.#at = message.address;
        this.#sent = true;
        break;
      case 'room':
        this.#roomIs(message, message.room);
        break;
      case 'news':
        if (this.room) this.#roomIs(message, changed(this.room, message));
        break;
      case 'own':
        this.#ownIs(message);
        break;
      case 'motion':
        this.motion = message;
        break;
      case 'pong':
        this.ahead = message.now - performance.now();
        break;
      case 'ok':
      case 'no':
      case 'rounds':
      case 'receipt':
      case 'rules':
        this.#answered(message);
        break;
      case 'unknown':
        this.#again(message.id);
        break;
      case 'fault':
        console.error(`the floor could not read this terminal: ${message.message}`);
        break;
    }
    if (this.open.length && this.status === 'open') this.#expect();
    else this.#rest();
  }

  #roomIs(message: Room | News, room: RoomView): void {
    this.#seen = message.seq;
    if (room.phase !== this.room?.phase || room.round !== this.room.round) this.motion = null;
    if (room.away !== this.room?.away) {
      clearTimeout(this.#away);
      // Perhaps only the machine here has lost the database.
      if (room.away && this.#doors.length > 1) this.#away = setTimeout(() => this.#leave(), WITHOUT);
    }
    this.room = room;
    this.closesAt = message.closes_in === null ? null : performance.now() + message.closes_in;
  }

  #leave(): void {
    const socket = this.#socket;
    this.#tries = 1;
    this.#lost(1006);
    socket?.close();
  }

  /** After a welcome `own` comes last: from here this terminal is in step, and what was left open is asked again. */
  #ownIs(own: Own): void {
    this.own = own;
    if (this.status === 'open') return;
    this.status = 'open';
    this.#tries = 0;
    this.#send(this.open.map(({ asked }) => asked));
  }

  #again(id: string): void {
    const open = this.open.find(({ asked }) => asked.id === id);
    if (open) setTimeout(() => this.#send([open.asked]), 200);
  }

  #answered(message: Reply): void {
    const open = this.open.find(({ asked }) => asked.id === message.id);
    if (!open) return;
    this.#remember(this.open.filter(({ asked }) => asked.id !== message.id));
    if (message.said === 'ok') this.#apply(open.asked, message);
    this.#waiting.get(message.id)?.(message);
    this.#waiting.delete(message.id);
  }

  /** A bet or a withdrawal that is on disk is the seat's own at once; the next push says the same. */
  #apply(asked: Asked, message: Ok): void {
    if (!this.own) return;
    let { bets, round } = this.own;
    if (asked.do === 'bet' && message.bet && asked.round >= round) {
      // A seat without bets gets no `own` for a new round: its first bet is of that round.
      if (asked.round > round) [bets, round] = [[], asked.round];
      const { box, stake } = asked;
      if (!bets.some(({ id }) => id === message.bet))
        bets = [...bets, { id: message.bet, box, stake, layout: this.own.layout }];
    } else if (asked.do === 'withdraw') {
      bets = bets
        .map((bet) => (bet.id === asked.bet ? { ...bet, stake: bet.stake - asked.amount } : bet))
        .filter((bet) => bet.stake > 0);
    }
    this.own = { ...this.own, round, bets, credit: message.credit, held: message.held };
  }

  // ---- what is kept on this machine

  get #key(): string {
    return `croupier.unanswered.${this.token.slice(0, 12)}`;
  }

  #remember(open: readonly Open[]): void {
    this.open = open;
    this.keep.setItem(
      this.#key,
      JSON.stringify(open.map(({ asked }) => asked).filter((asked) => !QUESTIONS.has(asked.do))),
    );
  }

  #kept(): Act[] {
    try {
      return JSON.parse(this.keep.getItem(this.#key) ?? '[]') as Act[];
    } catch {
      return [];
    }
  }
}

/** The room with what has changed; rounds that are over go by their number. */
function changed(room: RoomView, news: News): RoomView {
  const { past, ...rest } = news.changed as Partial<RoomView>;
  if (!past) return { ...room, ...rest };
  const rounds = new Map([...room.past, ...past].map((one) => [one.round, one]));
  return { ...room, ...rest, past: [...rounds.values()].sort((one, other) => one.round - other.round).slice(-60) };
}
