/** What a Player does at a terminal, and what of it can be undone. The floor decides; this only remembers and asks. */
import { firstChip, rack } from '../../felt/chips';
import { keyOf, type Pile } from '../../felt/piles';
import { plain } from '../../i18n/reasons';
import { grouped, summed } from '../../parts/grouped';
import type { Answer, TerminalConnection } from '../../connect/terminal.svelte';
import type { No, OwnBet } from '../../wire';
import { t } from './words';

interface Stake {
  box: string;
  stake: number;
}
/** One touch: what it placed, what it took off, and when it is answered. */
interface Act {
  boxes: readonly string[];
  placed: (Stake & { bet: string })[];
  taken: Stake[];
  done: Promise<unknown>;
}
interface Kept {
  layout: string;
  stakes: Stake[];
}

const NO_NOTES: ReadonlyMap<string, string> = new Map();
const NOTE_MS = 7_000;
const OPEN_FOR_BETS = ['betting', 'spinning'];

export class Play {
  chip = $state(0);
  /** Taking chips off instead of putting them on. */
  taking = $state(false);
  acts = $state.raw<readonly Act[]>([]);
  notes = $state.raw<ReadonlyMap<string, string>>(NO_NOTES);
  #round = -1;
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing is drawn from it
  #timers = new Map<string, ReturnType<typeof setTimeout>>();

  constructor(readonly line: TerminalConnection) {}

  // ---- how things stand

  readonly chips = $derived.by(() => (this.line.room ? rack(this.line.room.limits) : []));

  readonly value = $derived.by(() => {
    const limits = this.line.room?.limits;
    return this.chips.includes(this.chip) || !limits ? this.chip : firstChip(this.chips, limits);
  });

  readonly enabled = $derived.by(() => {
    const { room, own, status } = this.line;
    if (!room || !own || status !== 'open') return false;
    return (
      own.seated &&
      own.connected &&
      room.open &&
      !room.locked &&
      !room.stopped &&
      !room.away &&
      OPEN_FOR_BETS.includes(room.phase)
    );
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
    return recallStakes(this.line.welcome?.table ?? '');
  });

  readonly may = $derived.by(() => {
    const bets = this.line.own?.bets.length ?? 0;
    return {
      undo: this.enabled && this.acts.length > 0,
      clear: this.enabled && bets > 0,
      double: this.enabled && bets > 0,
      rebet: this.enabled && bets === 0 && this.kept !== null && this.kept.layout === this.line.own?.layout,
    };
  });

  /** Chips to draw: registered, asked for, and after a result collected or paid. `home`: winners have been paid. */
  piles(home: boolean): Pile[] {
    const { own, room } = this.line;
    if (!own || !room) return [];
    if (room.phase === 'ready' && own.last && own.last.round === room.round - 1 && !own.last.void)
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

  /** A new round: what was undone in the old one cannot be undone in this. */
  follow(): void {
    const { room, own, welcome } = this.line;
    if (!room || !own || !welcome) return;
    if (own.last?.bets.length)
      keepStakes(welcome.table, { layout: own.last.bets[0]!.layout, stakes: byBox(own.last.bets) });
    if (room.round === this.#round) return;
    this.#round = room.round;
    this.acts = own.bets.map((bet) => ({ ...none([bet]), placed: [{ bet: bet.id, box: bet.box, stake: bet.stake }] }));
    this.taking = false;
    this.#clearNotes();
  }

  // ---- acts

  touch(box: string): void {
    if (this.line.status !== 'open') this.#note(box, t('notSent'));
    else if (!this.enabled) this.#note(box, t('closedNow'));
    else if (this.taking) this.take(box);
    else this.place([{ box, stake: this.value }]);
  }

  place(stakes: readonly Stake[]): void {
    const { room } = this.line;
    if (!room || stakes.length === 0) return;
    const act = this.#placing(stakes);
    this.acts = [...this.acts, act];
  }

  /** The bet that was placed last in a box, off the table. */
  take(box: string): void {
    const last = () => this.line.own?.bets.filter((one) => one.box === box).at(-1);
    const waiting = this.acts.findLast((act) => act.boxes.includes(box));
    const bet = last();
    if (bet) this.#took([bet]);
    else if (waiting) void waiting.done.then(() => this.#took([last()].filter((one) => one !== undefined)));
  }

  /** Latest first: what is left of a box must keep to its limits all the time. */
  clear(): void {
    this.#took([...(this.line.own?.bets ?? [])].reverse());
  }

  double(): void {
    this.place(byBox(this.line.own?.bets ?? []));
  }

  rebet(): void {
    if (this.kept) this.place(this.kept.stakes);
  }

  move(from: string, to: string | null): void {
    const bets = (this.line.own?.bets ?? []).filter((bet) => bet.box === from).reverse();
    const off = this.#withdraw(bets);
    const act = to === null ? none([]) : this.#placing([{ box: to, stake: sum(bets) }]);
    this.acts = [
      ...this.acts,
      { boxes: [from, ...act.boxes], placed: act.placed, taken: off.taken, done: Promise.all([off.done, act.done]) },
    ];
  }

  async undo(): Promise<void> {
    const act = this.acts.at(-1);
    if (!act) return;
    this.acts = this.acts.slice(0, -1);
    await act.done;
    for (const { bet, box, stake } of [...act.placed].reverse())
      void this.line.act({ do: 'withdraw', bet, amount: stake }).then((answer) => this.#heard(box, answer));
    if (act.taken.length) await this.#placing(byBox(act.taken)).done; // as one bet: its parts may be below the minimum
  }

  #placing(stakes: readonly Stake[]): Act {
    const { room, welcome } = this.line;
    const asked = this.line.bet(room!.round, stakes);
    const act: Act = none(stakes);
    act.done = Promise.all(
      asked.map(async ({ id, answer }, index) => {
        const { box, stake } = stakes[index]!;
        const said = await answer;
        this.#heard(box, said);
        if (said.said === 'ok') act.placed.push({ bet: `${welcome!.seat}.${id}`, box, stake });
      }),
    ).then(() => this.#drop(act));
    return act;
  }

  #took(bets: readonly OwnBet[]): void {
    if (bets.length === 0) return;
    const act = this.#withdraw(bets);
    this.acts = [...this.acts, act];
  }

  #withdraw(bets: readonly OwnBet[]): Act {
    const act: Act = none(bets);
    act.done = Promise.all(
      bets.map(async ({ id, box, stake }) => {
        const said = await this.line.act({ do: 'withdraw', bet: id, amount: stake });
        this.#heard(box, said);
        if (said.said === 'ok') act.taken.push({ box, stake });
      }),
    ).then(() => this.#drop(act));
    return act;
  }

  /** An act of which nothing was taken cannot be undone. */
  #drop(act: Act): void {
    if (act.placed.length + act.taken.length === 0) this.acts = this.acts.filter((other) => other !== act);
  }

  // ---- refusals

  #heard(box: string, answer: Answer): void {
    if (answer.said === 'no') this.#note(box, this.refusal(answer));
  }

  refusal(no: No): string {
    const said = plain(no);
    return no.clause ? `${said} (${no.clause})` : said;
  }

  #note(box: string, text: string): void {
    this.notes = withNote(this.notes, box, text);
    clearTimeout(this.#timers.get(box));
    const timer = setTimeout(() => {
      this.notes = withNote(this.notes, box, null);
    }, NOTE_MS);
    this.#timers.set(box, timer);
  }

  #clearNotes(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.notes = NO_NOTES;
  }
}

function withNote(notes: ReadonlyMap<string, string>, box: string, text: string | null): ReadonlyMap<string, string> {
  const others = [...notes].filter(([name]) => name !== box);
  return new Map(text === null ? others : [...others, [box, text]]);
}

function none(on: readonly { box: string }[]): Act {
  return { boxes: on.map(({ box }) => box), placed: [], taken: [], done: Promise.resolve() };
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

const rebetKey = (table: string) => `croupier.rebet.${table}`;

function keepStakes(table: string, kept: Kept): void {
  localStorage.setItem(rebetKey(table), JSON.stringify(kept));
}

function recallStakes(table: string): Kept | null {
  try {
    return JSON.parse(localStorage.getItem(rebetKey(table)) ?? 'null') as Kept | null;
  } catch {
    return null;
  }
}
