/** The last two tickets of this terminal stay on it, to be printed again: a second paper is marked. */
import { keep, kept } from '../../app/keep';

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

const KEPT = 2;

export function tickets(): Ticket[] {
  return kept<Ticket[]>('tickets', []);
}

export function keepTicket(ticket: Ticket): Ticket[] {
  const last = [ticket, ...tickets().filter((one) => one.number !== ticket.number)].slice(0, KEPT);
  keep('tickets', last);
  return last;
}
