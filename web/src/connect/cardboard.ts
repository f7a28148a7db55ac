/** A floor of cardboard for tests: it keeps what it receives, and sends what a test writes out. */
import type { AnySaid, Own, RoomView } from '../wire';
import type { Socket } from './terminal.svelte';

const ROOM: RoomView = {
  phase: 'betting',
  round: 7,
  open: true,
  locked: false,
  stopped: false,
  away: false,
  call: null,
  count: null,
  layouts: ['A'],
  limits: { minimum: { '*': 5_00 }, maximum: { '*': 1_000_00 }, unit: 1_00 },
  result: null,
  words: '',
  lit: {},
  past: [],
  betting: true,
  still: false,
  law: '',
};
const OWN: Own = {
  said: 'own',
  seq: 3,
  seated: true,
  layout: 'A',
  credit: 100_00,
  held: 0,
  owes: 0,
  connected: true,
  bets: [],
  last: null,
  notices: [],
  round: 7,
};

export class Line implements Socket {
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number; reason: string }) => void) | null = null;
  sent: Record<string, unknown>[] = [];
  send(body: string) {
    this.sent.push(JSON.parse(body) as Record<string, unknown>);
  }
  close() {}

  sends(message: object) {
    this.onmessage?.({ data: JSON.stringify(message as AnySaid) });
  }
  greet(round = 7, bets: Own['bets'] = []) {
    this.onopen?.();
    this.sends({ said: 'welcome', version: 1, table: 't', seat: 'A1', now: 1_000_000, wheel: [], nodes: [] });
    this.room({ round });
    this.own({ round, bets });
  }
  room(room: Partial<RoomView>) {
    this.sends({ said: 'room', seq: 3, room: { ...ROOM, ...room }, closes_in: 5_000 });
  }
  own(own: Partial<Own>) {
    this.sends({ ...OWN, ...own });
  }
  /** Every bet that was sent last is registered. */
  registers(credit = 95_00, held = 5_00): string[] {
    const ids = (this.sent.at(-1)!['bets'] as { id: string }[]).map(({ id }) => id);
    for (const id of ids) this.sends({ said: 'ok', id, credit, held, bet: `A1.${id}` });
    return ids.map((id) => `A1.${id}`);
  }
  ids(): unknown[] {
    return this.sent.flatMap((sent) =>
      sent['do'] === 'bet' ? (sent['bets'] as { id: string }[]).map(({ id }) => id) : [sent['id'] ?? sent['do']],
    );
  }
}
