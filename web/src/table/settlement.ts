/** What the last round brought a Player, by what the floor says of each bet. */
import type { OwnBet } from '../wire';

export interface Settlement {
  staked: number;
  winnings: number;
  returned: number;
  /** What the round left the Player with, less what it took: below zero where more was lost than won. */
  net: number;
}

export function settlement(bets: readonly OwnBet[]): Settlement {
  const staked = sum(bets, (bet) => bet.stake);
  const winnings = sum(bets, (bet) => bet.fate?.winnings ?? 0);
  const returned = sum(bets, (bet) => bet.fate?.returned ?? 0);
  return { staked, winnings, returned, net: winnings + returned - staked };
}

/** A round that cost more than it brought is no win, whatever one of its bets was paid. */
export function celebrates(mine: Settlement | null): boolean {
  return mine !== null && mine.net > 0;
}

function sum(bets: readonly OwnBet[], amount: (bet: OwnBet) => number): number {
  return bets.reduce((total, bet) => total + amount(bet), 0);
}
