/** What the last round brought a Player, by what the floor says of each bet. */
import type { Own, OwnBet, RoomView } from '../wire';

export interface Settlement {
  staked: number;
  winnings: number;
  returned: number;
  /** What the round left the Player with, less what it took: below zero where more was lost than won. */
  net: number;
}

/** The round that is shown, or null if the Player had no bet in it. */
export function settled(own: Own, room: RoomView): Settlement | null {
  // The room is told of the end of a round a moment before a seat hears of its own.
  const judged = own.bets.some((bet) => bet.fate) ? own.bets : [];
  const bets = own.last && own.last.round === room.round - 1 && room.phase !== 'settling' ? own.last.bets : judged;
  return bets.length ? settlement(bets) : null;
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
