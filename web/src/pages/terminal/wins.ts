/** What the last round brought, by what the floor says of each bet. */
import type { Own, OwnBet, RoomView } from '../../wire';

/** Winnings of the round that is shown, or null if there was no bet in it. */
export function lastWin(own: Own, room: RoomView): number | null {
  const settling = room.phase === 'settling';
  const bets = settling ? own.bets : own.last && own.last.round === room.round - 1 ? own.last.bets : [];
  return bets.length ? winnings(bets) : null;
}

export function winnings(bets: readonly OwnBet[]): number {
  return bets.reduce((sum, bet) => sum + (bet.fate?.winnings ?? 0), 0);
}
