/** Questions and commands to the floor: JSON over HTTP. */
import type {
  AskSignature,
  DoneAtCage,
  DoneAtTable,
  DoneInOffice,
  GivenAtCage,
  GivenAtTable,
  GivenInOffice,
  ActPreview,
  ToSign,
  Problem,
} from '../wire';
import { nextId } from './ids';
import { signWith } from './passkey';

export class Denied extends Error {
  readonly case: string;
  readonly facts: NonNullable<Problem['facts']>;
  constructor(
    readonly status: number,
    readonly reason: string,
    message: string,
    readonly clause: string | null = null,
    of: Pick<Problem, 'case' | 'facts'> = {},
  ) {
    super(message);
    this.case = of.case ?? '';
    this.facts = of.facts ?? {};
  }
}

/** No refusal: the floor was not reached or had no time, and the same may be asked again. */
export const silence = ({ status }: Denied): boolean => status === 0 || status === 429 || status >= 500;

let signedOut = (): void => undefined;
/** `listener` is called when the session of this page is over. */
export function whenSignedOut(listener: () => void): void {
  signedOut = listener;
}
export const reportSignedOut = (): void => signedOut();

/** GET, POST or DELETE; an answer that is none of 2xx, and none at all, is thrown as Denied. */
export async function call<T>(path: string, body?: unknown, method = body === undefined ? 'GET' : 'POST'): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  }).catch(() => {
    throw new Denied(0, method === 'GET' ? 'silent' : 'unknown', 'the floor does not answer');
  });
  const content: unknown = response.headers.get('content-type')?.includes('json') ? await response.json() : null;
  if (response.ok) return content as T;
  if (response.status === 401 && !path.startsWith('/api/session')) signedOut();
  const problem = (content ?? {}) as Partial<Problem>;
  const { message = response.statusText, faults = [] } = problem;
  const whole = [message, ...faults.filter((fault) => !message.includes(fault))].join('; ');
  throw new Denied(response.status, problem.reason ?? String(response.status), whole, problem.clause ?? null, problem);
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
      const lost = no instanceof Denied && [0, 502, 503].includes(no.status);
      if (!lost || wait === null) throw no;
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

/** What a command would do if it were given now; nothing happens. Denied if it would be refused. */
export function rehearse(table: string, command: Command): Promise<ActPreview> {
  return call(`${tablePath(table)}/rehearsal`, { id: nextId(), command });
}
