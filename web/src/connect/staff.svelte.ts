/** The staff's door: JSON over HTTP, and sockets that begin with a snapshot and go on with what changed. */
import type {
  AskSignature,
  DoneAtCage,
  DoneAtTable,
  DoneInOffice,
  GivenAtCage,
  GivenAtTable,
  GivenInOffice,
  Rehearsed,
  ToSign,
  Trouble,
} from '../wire';
import { nextId } from './ids';
import { signWith } from './passkey';

export class Denied extends Error {
  readonly case: string;
  readonly facts: NonNullable<Trouble['facts']>;
  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
    readonly clause: string | null = null,
    of: Pick<Trouble, 'case' | 'facts'> = {},
  ) {
    super(message);
    this.case = of.case ?? '';
    this.facts = of.facts ?? {};
  }
}

/** GET, POST or DELETE; an answer that is none of 2xx is thrown as Denied. */
export async function call<T>(path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST'): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const said: unknown = response.headers.get('content-type')?.includes('json') ? await response.json() : null;
  if (response.ok) return said as T;
  const told = (said ?? {}) as Partial<Trouble>;
  const message = [told.message ?? response.statusText, ...(told.faults ?? [])].join('; ');
  throw new Denied(response.status, told.reason ?? String(response.status), message, told.clause ?? null, told);
}

export type Command = GivenAtTable['command'];
export type CageCommand = GivenAtCage['command'];
export type OfficeCommand = GivenInOffice['command'];

const WAITS = [300, 700, 1_500, 3_000];

/**
 * Give a command. Who gives it and when is the server's to say. An answer that was lost on the way is asked for again
 * under the same id, so the act counts once; a refusal is thrown as Denied.
 */
async function given<T>(path: string, command: Command | CageCommand | OfficeCommand): Promise<T> {
  const body = { id: nextId(), command };
  for (const wait of [...WAITS, null]) {
    try {
      return await call<T>(path, body);
    } catch (no) {
      const lost = !(no instanceof Denied) || no.status === 502 || no.status === 503;
      if (!lost) throw no;
      if (wait === null) throw no instanceof Denied ? no : new Denied(0, 'unknown', 'the floor does not answer');
      await new Promise((done) => setTimeout(done, wait));
    }
  }
  throw new Denied(0, 'unknown', 'the floor does not answer');
}

export const tablePath = (table: string) => `/api/tables/${encodeURIComponent(table)}`;

/** What a passkey of this person says of a request, where the House has them sign. */
async function signature(place: string, request: number): Promise<AskSignature | null> {
  const { challenge, credentials } = await call<ToSign>(
    `/api/places/${encodeURIComponent(place)}/requests/${request}/challenge`,
  );
  return challenge ? signWith(credentials, challenge) : null;
}

/** Who has asked for an act of two people signs that they did. */
async function signAsking<T extends DoneAtTable | DoneAtCage>(place: string, done: T): Promise<T> {
  for (const event of done.events) {
    if (event.type !== 'ApprovalRequested') continue;
    const signed = await signature(place, event.request);
    if (signed) await giveInOffice({ type: 'SignAsking', place, request: event.request, signature: signed });
  }
  return done;
}

export async function giveAtTable(table: string, command: Command): Promise<DoneAtTable> {
  const whole =
    command.type === 'Approve' ? { ...command, signature: await signature(table, command.request) } : command;
  return signAsking(table, await given<DoneAtTable>(`${tablePath(table)}/commands`, whole));
}

export async function giveAtCage(command: CageCommand): Promise<DoneAtCage> {
  const whole =
    command.type === 'ApproveRequest' ? { ...command, signature: await signature('cage', command.request) } : command;
  return signAsking('cage', await given<DoneAtCage>('/api/cage/commands', whole));
}

export function giveInOffice(command: OfficeCommand): Promise<DoneInOffice> {
  return given('/api/office/commands', command);
}

const SIGN_IN = 4001;
const NOT_FOR_YOU = 1008;

/** A view that the server pushes: a snapshot, then what changed; a new snapshot after every cut. */
export class Watched<View extends object> {
  view = $state.raw<View | null>(null);
  status = $state<'connecting' | 'open' | 'lost' | 'refused' | 'signed-out'>('connecting');
  why = $state('');
  /** The floor's clock less that of `performance.now()`; null while it is not known. */
  ahead = $state.raw<number | null>(null);
  #socket: WebSocket | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;
  #ended = false;

  constructor(readonly path: string) {
    this.#connect();
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
    const socket = this.#socket;
    // A browser warns of a socket that is closed before it was open.
    if (socket?.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket?.close();
  }

  /** A moment of the floor's clock on the clock of this page, for countdowns. */
  here(moment: number): number {
    return moment - (this.ahead ?? 0);
  }

  #connect(): void {
    const socket = new WebSocket(this.path);
    this.#socket = socket;
    socket.onmessage = (event: MessageEvent<string>) => {
      this.#hear(JSON.parse(event.data) as { now: number; snapshot?: View; changed?: Partial<View> });
    };
    socket.onclose = (event) => {
      if (this.#ended) return;
      this.why = event.reason;
      if (event.code === SIGN_IN) this.status = 'signed-out';
      else if (event.code === NOT_FOR_YOU) this.status = 'refused';
      else {
        this.status = this.view ? 'lost' : 'connecting';
        this.#timer = setTimeout(() => this.#connect(), Math.min(3_000, 200 * 2 ** this.#tries++));
      }
    };
  }

  #hear(said: { now: number; snapshot?: View; changed?: Partial<View> }): void {
    const ahead = said.now - performance.now();
    // A message that came quickly knows the clock best; a tenth of a second is not worth a jump.
    if (this.ahead === null || this.status !== 'open' || Math.abs(ahead - this.ahead) > 100) this.ahead = ahead;
    this.status = 'open';
    this.#tries = 0;
    if (said.snapshot) this.view = said.snapshot;
    else if (said.changed && this.view) this.view = { ...this.view, ...said.changed };
  }
}

/** What a command would do if it were given now; nothing happens. Denied if it would be refused. */
export function rehearse(table: string, command: Command): Promise<Rehearsed> {
  return call(`${tablePath(table)}/rehearsal`, { id: nextId(), command });
}
