/** The last two tickets of this terminal stay on it, to be printed again: a second paper is marked. */

export interface Ticket {
  number: string;
  amount: number;
  at: number;
  table: string;
  seat: string;
  house: string;
  zone: string;
  /** It was put on paper before, or may have been. */
  printed?: boolean;
}

const KEY = 'croupier.tickets';
const KEPT = 2;

export function tickets(): Ticket[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '[]') as Ticket[];
  } catch {
    return [];
  }
}

export function keepTicket(ticket: Ticket): Ticket[] {
  const kept = [ticket, ...tickets().filter((one) => one.number !== ticket.number)].slice(0, KEPT);
  localStorage.setItem(KEY, JSON.stringify(kept));
  return kept;
}
