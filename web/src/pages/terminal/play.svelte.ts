/** What a Player does at a terminal, and what of it can be undone. The floor decides; this only remembers and asks. */
import { keep, kept } from '../../app/keep';
import { firstChip, rack } from '../../felt/chips';
import { keyOf, type Pile } from '../../felt/piles';
import { plain } from '../../connect/reasons';
import { grouped, summed } from '../../app/grouped';
import type { Answer, TerminalConnection } from '../../connect/terminal.svelte';
import type { Moment } from '../../table/moment';
import type { No, OwnBet } from '../../wire';
import { t } from './words';

interface Stake {
  box: string;
  stake: number;
}
/** One touch: in which round, what it placed, what it took off, and when it is answered. */
interface Act {
  round: number;
  boxes: readonly string[];
  placed: (Stake & { bet: string })[];
  taken: Stake[];
  done: Promise<unknown>;
}
interface Kept {
  layout: string;
  stakes: Stake[];
}

interface Note {
  round: number;
  text: string;
}

const NO_NOTES: ReadonlyMap<string, Note> = new Map();
const NOTE_MS = 7_000;

export class Play {
  chip = $state(0);
  /** What was done on this page; only what belongs to the round at hand is shown, and can be undone. */
  #log = $state.raw<readonly Act[]>([]);
  #notes = $state.raw<ReadonlyMap<string, Note>>(NO_NOTES);
  /** The round in which chips are taken off instead of put on. */
  #taking = $state(-1);
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
  #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(readonly line: TerminalConnection) {
    // Bets of this round from before this page was loaded: each was one touch.
    const { own } = line;
    this.#log = (own?.bets ?? []).map((bet) => ({
      ...none([bet], own!.round),
      placed: [{ bet: bet.id, box: bet.box, stake: bet.stake }],
    }));
  }

  // ---- how things stand

  readonly chips = $derived.by(() => (this.line.room ? rack(this.line.room.limits) : []));

  readonly value = $derived.by(() => {
    const limits = this.line.room?.limits;
    return this.chips.includes(this.chip) || !limits ? this.chip : firstChip(this.chips, limits);
  });

  readonly round = $derived.by(() => this.line.room?.round ?? -1);
  readonly acts = $derived.by(() => this.#log.filter((act) => act.round === this.round));
  /** Refusals beside the box that they concern. */
  readonly notes = $derived.by(() => textsOf(this.#notes, this.round));

  get taking(): boolean {
    return this.#taking === this.round;
  }
  set taking(on: boolean) {
    this.#taking = on ? this.round : -1;
  }

  /** The Player's bets of the round at hand; those of the round before lie on the felt a moment longer. */
  readonly bets = $derived.by(() => (this.line.own?.round === this.round ? this.line.own.bets : []));

  readonly enabled = $derived.by(() => {
    const { room, own, status } = this.line;
    if (!room || !own || status !== 'open') return false;
    return own.seated && own.connected && room.betting && room.open && !room.locked && !room.stopped && !room.away;
  });

  /** The sum of what lies on the table, and of what is asked for and not answered. */
  readonly staked = $derived.by(() => sum(this.line.own?.bets ?? []));
  readonly pending = $derived.by(() =>
    this.line.open.flatMap(({ asked }) => (asked.do === 'bet' ? [{ box: asked.box, stake: asked.stake }] : [])),
  );

  readonly kept = $derived.by((): Kept | null => {
    const own = this.line.own;
    if (!own) return null;
    if (own.last?.bets.length) return { layout: own.last.bets[0]!.layout, stakes: byBox(own.last.bets) };
    return kept<Kept | null>(`rebet.${this.line.welcome?.table}`, null);
  });

  readonly may = $derived.by(() => {
    const bets = this.bets.length;
    return {
      undo: this.enabled && this.acts.length > 0,
      clear: this.enabled && bets > 0,
      double: this.enabled && bets > 0,
      rebet: this.enabled && bets === 0 && this.kept !== null && this.kept.layout === this.line.own?.layout,
    };
  });

  /** Chips to draw: registered, asked for, and after a result collected or paid. `home`: winners have been paid. */
  piles(now: Moment, home: boolean): Pile[] {
    const { own, room } = this.line;
    if (!own || !room) return [];
    if (own.last && own.last.round === now.result?.round)
      return joined(own.last.bets.flatMap((bet) => after(bet, home)));
    const piles = own.bets.map((bet): Pile => ({
      box: bet.box,
      amount: bet.stake,
      kind: collected(bet) ? 'lost' : 'placed',
    }));
    const waiting = this.pending.map(({ box, stake }): Pile => ({
      box,
      amount: stake,
      pending: stake,
      kind: 'placed',
    }));
    return joined([...piles, ...waiting]);
  }

  /** The stakes of the last round are kept on this machine, to be placed again after any number of rounds. */
  keep(): void {
    const { own, welcome } = this.line;
    if (welcome && own?.last?.bets.length)
      keep(`rebet.${welcome.table}`, { layout: own.last.bets[0]!.layout, stakes: byBox(own.last.bets) });
  }

  // ---- acts

  touch(box: string): void {
    if (this.line.status !== 'open') this.#note(box, t('notSent'));
    else if (!this.enabled) this.#note(box, t('closedNow'));
    else if (this.taking) this.take(box);
    else this.place([{ box, stake: this.value }]);
  }

  place(stakes: readonly Stake[]): void {
    if (this.line.room && stakes.length > 0) this.#add(this.#placing(stakes));
  }

  /** The bet that was placed last in a box, off the table. */
  take(box: string): void {
    const last = () => this.bets.filter((one) => one.box === box).at(-1);
    const waiting = this.acts.findLast((act) => act.boxes.includes(box));
    const bet = last();
    if (bet) this.#took([bet]);
    else if (waiting) void waiting.done.then(() => this.#took([last()].filter((one) => one !== undefined)));
  }

  /** Latest first: what is left of a box must keep to its limits all the time. */
  clear(): void {
    this.#took([...this.bets].reverse());
  }

  double(): void {
    this.place(byBox(this.bets));
  }

  rebet(): void {
    if (this.kept) this.place(this.kept.stakes);
  }

  move(from: string, to: string | null): void {
    const bets = this.bets.filter((bet) => bet.box === from).reverse();
    const off = this.#withdraw(bets);
    const act = to === null ? none([], this.round) : this.#placing([{ box: to, stake: sum(bets) }]);
    const done = Promise.all([off.done, act.done]);
    this.#add({ ...act, boxes: [from, ...act.boxes], taken: off.taken, done });
  }

  async undo(): Promise<void> {
    const act = this.acts.at(-1);
    if (!act) return;
    this.#remove(act);
    await act.done;
    for (const { bet, box, stake } of [...act.placed].reverse())
      void this.line.act({ do: 'withdraw', bet, amount: stake }).then((answer) => this.#answered(box, answer));
    if (act.taken.length) await this.#placing(byBox(act.taken)).done; // as one bet: its parts may be below the minimum
  }

  #placing(stakes: readonly Stake[]): Act {
    const asked = this.line.bet(this.round, stakes);
    const act = none(stakes, this.round);
    act.done = Promise.all(
      asked.map(async ({ answer }, index) => {
        const { box, stake } = stakes[index]!;
        const reply = await answer;
        this.#answered(box, reply);
        if (reply.said === 'ok') act.placed.push({ bet: reply.bet!, box, stake });
      }),
    ).then(() => this.#drop(act));
    return act;
  }

  #took(bets: readonly OwnBet[]): void {
    if (bets.length > 0) this.#add(this.#withdraw(bets));
  }

  #withdraw(bets: readonly OwnBet[]): Act {
    const act = none(bets, this.round);
    act.done = Promise.all(
      bets.map(async ({ id, box, stake }) => {
        const reply = await this.line.act({ do: 'withdraw', bet: id, amount: stake });
        this.#answered(box, reply);
        if (reply.said === 'ok') act.taken.push({ box, stake });
      }),
    ).then(() => this.#drop(act));
    return act;
  }

  /** An act of which nothing was taken cannot be undone. */
  #drop(act: Act): void {
    if (act.placed.length + act.taken.length === 0) this.#remove(act);
  }

  #add(act: Act): void {
    this.#log = [...this.acts, act];
  }

  #remove(act: Act): void {
    this.#log = this.#log.filter((other) => other !== act);
  }

  // ---- refusals

  #answered(box: string, answer: Answer): void {
    if (answer.said === 'no') this.#note(box, this.refusal(answer));
  }

  refusal(no: No): string {
    const sentence = plain(no);
    return no.clause ? `${sentence} (${no.clause})` : sentence;
  }

  #note(box: string, text: string): void {
    this.#notes = withNote(this.#notes, box, { round: this.round, text });
    clearTimeout(this.#timers.get(box));
    const timer = setTimeout(() => {
      this.#notes = withNote(this.#notes, box, null);
    }, NOTE_MS);
    this.#timers.set(box, timer);
  }
}

function textsOf(notes: ReadonlyMap<string, Note>, round: number): ReadonlyMap<string, string> {
  return new Map([...notes].filter(([, note]) => note.round === round).map(([box, { text }]) => [box, text]));
}

function withNote(notes: ReadonlyMap<string, Note>, box: string, note: Note | null): ReadonlyMap<string, Note> {
  const others = [...notes].filter(([name]) => name !== box);
  return new Map(note === null ? others : [...others, [box, note]]);
}

function none(on: readonly { box: string }[], round: number): Act {
  return { round, boxes: on.map(({ box }) => box), placed: [], taken: [], done: Promise.resolve() };
}

function collected(bet: OwnBet): boolean {
  return bet.fate != null && bet.fate.winnings + bet.fate.returned === 0;
}

/** A bet after the round: winners lie with what they won until they go home. */
function after(bet: OwnBet, home: boolean): Pile[] {
  const { box, fate } = bet;
  if (!fate || collected(bet)) return [{ box, amount: bet.stake, kind: 'lost' }];
  const stake: Pile = { box, amount: fate.returned, kind: home ? 'home' : 'placed' };
  return fate.winnings ? [stake, { box, amount: fate.winnings, kind: home ? 'home' : 'paid', win: true }] : [stake];
}

function sum(bets: readonly { stake: number }[]): number {
  return bets.reduce((total, bet) => total + bet.stake, 0);
}

function byBox(bets: readonly Stake[]): Stake[] {
  const found = summed(
    bets,
    (bet) => bet.box,
    (bet) => bet.stake,
  );
  return [...found].map(([box, stake]) => ({ box, stake }));
}

/** Chips at one place are one pile. */
function joined(piles: Pile[]): Pile[] {
  return [...grouped(piles, keyOf).values()].map((pile) => ({
    ...pile.at(-1)!,
    amount: pile.reduce((total, { amount }) => total + amount, 0),
    pending: pile.reduce((total, { pending = 0 }) => total + pending, 0),
  }));
}
