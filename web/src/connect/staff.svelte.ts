/** The staff's door: JSON over HTTP, and sockets that begin with a snapshot and go on with what changed. */
import type { AnyCageCommand, AnyCommand } from '../wire';
import { nextId } from './ids';

export class Denied extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
    readonly clause: string | null = null,
  ) {
    super(message);
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
  const told = (said ?? {}) as { reason?: string; message?: string; detail?: unknown; clause?: string | null };
  const message = told.message ?? (typeof told.detail === 'string' ? told.detail : response.statusText);
  throw new Denied(response.status, told.reason ?? String(response.status), message, told.clause ?? null);
}

type Given<C> = C extends { by: string; at: number } ? Omit<C, 'by' | 'at'> : never;
export type Command = Given<AnyCommand>;
export type CageCommand = Given<AnyCageCommand>;

/** Give a command to a table; who gives it and when is the server's to say. The same id may be sent again. */
export function command<T>(table: string, command: Command, id = nextId()): Promise<T> {
  return call(`/api/tables/${encodeURIComponent(table)}/commands`, { id, command });
}

export function cageCommand<T>(command: CageCommand, id = nextId()): Promise<T> {
  return call('/api/cage/commands', { id, command });
}

/** A view that the server pushes: a snapshot, then what changed; a new snapshot after every cut. */
export class Watched<View extends object> {
  view = $state.raw<View | null>(null);
  status = $state<'connecting' | 'open' | 'lost' | 'refused'>('connecting');
  #socket: WebSocket | null = null;
  #tries = 0;
  #ended = false;

  constructor(readonly path: string) {
    this.#connect();
  }

  end(): void {
    this.#ended = true;
    this.#socket?.close();
  }

  #connect(): void {
    const socket = new WebSocket(this.path);
    this.#socket = socket;
    socket.onmessage = (event: MessageEvent<string>) => {
      const said = JSON.parse(event.data) as { seq: number; snapshot?: View; changed?: Partial<View> };
      this.status = 'open';
      this.#tries = 0;
      if (said.snapshot) this.view = said.snapshot;
      else if (said.changed && this.view) this.view = { ...this.view, ...said.changed };
    };
    socket.onclose = (event) => {
      if (this.#ended) return;
      if (event.code === 1008 || event.code === 4001) {
        this.status = 'refused';
        return;
      }
      this.status = this.view ? 'lost' : 'connecting';
      setTimeout(() => this.#connect(), Math.min(3_000, 200 * 2 ** this.#tries++));
    };
  }
}
