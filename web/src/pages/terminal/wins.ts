/** What the last round brought, by what the floor says of each bet. */
import type { Own, OwnBet, RoomView } from '../../wire';

/** Winnings of the round that is shown, or null if there was no bet in it. */
export function lastWin(own: Own, room: RoomView): number | null {
  // The room is told of the end of a round a moment before a seat hears of its own.
  const judged = own.bets.some((bet) => bet.fate) ? own.bets : [];
  const bets = own.last && own.last.round === room.round - 1 && room.phase !== 'settling' ? own.last.bets : judged;
  return bets.length ? winnings(bets) : null;
}

export function winnings(bets: readonly OwnBet[]): number {
  return bets.reduce((sum, bet) => sum + (bet.fate?.winnings ?? 0), 0);
}
