/** Chips: which there are at a table, how an amount is made of them, and their colours. */
import type { Limits } from '../wire';

const VALUES = [25, 50, 1_00, 5_00, 10_00, 25_00, 100_00, 500_00, 1_000_00, 5_000_00, 10_000_00, 100_000_00];
const MOST = 7;

/** The chips of a rack: whole units, none above the largest bet. */
export function rack(limits: Limits): number[] {
  const most = Math.max(...Object.values(limits.maximum));
  const fitting = VALUES.filter((value) => value % limits.unit === 0 && value <= most);
  const chips = fitting.length ? fitting : [limits.unit];
  return chips.length > MOST ? chips.filter((value) => value !== 10_00 || chips.length <= MOST).slice(-MOST) : chips;
}

/** The chip a Player most likely wants first: the smallest that is a bet by itself. */
export function firstChip(chips: readonly number[], limits: Limits): number {
  const least = Math.min(...Object.values(limits.minimum));
  return chips.find((value) => value >= least) ?? chips.at(-1)!;
}

/** An amount as chips, the largest at the bottom; what cannot be made of whole chips lies on top. */
export function stack(amount: number, chips: readonly number[], most = 5): number[] {
  const pile: number[] = [];
  let rest = amount;
  for (const value of [...chips].sort((one, other) => other - one)) {
    while (rest >= value && pile.length < 60) {
      pile.push(value);
      rest -= value;
    }
  }
  if (pile.length === 0) pile.push(amount);
  return pile.length > most ? [...pile.slice(0, most - 1), pile.at(-1)!] : pile;
}

const COLOURS: [number, string, string][] = [
  [25, '#8c8f94', '#fff'],
  [50, '#a9745b', '#fff'],
  [1_00, '#ece5d0', '#23262a'],
  [5_00, '#b5242f', '#fff'],
  [10_00, '#1d5fae', '#fff'],
  [25_00, '#1a7a48', '#fff'],
  [100_00, '#17191c', '#fff'],
  [500_00, '#6d2f96', '#fff'],
  [1_000_00, '#c08a12', '#1b1405'],
  [5_000_00, '#9a4a1c', '#fff'],
  [10_000_00, '#0d6f7c', '#fff'],
];

export function colour(value: number): { base: string; ink: string } {
  const found = COLOURS.find(([limit]) => value <= limit) ?? COLOURS.at(-1)!;
  return { base: found[1], ink: found[2] };
}
