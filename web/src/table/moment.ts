/**
 * What a round means just now: the one reader of `phase`. Whether the line is alive, the table locked or the floor away
 * stands beside it: a picture of the dice goes on whoever may bet.
 */
import type { MotionShown, Order, Own, Phase } from '../wire';
import { facesOf } from './outcome';
import { settlement, type Settlement } from './settlement';

/** What the room of a terminal, a display and a console have in common. */
export interface RoomLike {
  phase: Phase;
  round: number;
  result: string | null;
  /** Empty while the felt is dark. */
  lit: Readonly<Record<string, readonly string[]>>;
  past: readonly { round: number; outcome: string | null }[];
  /** Only a terminal has it; everyone else sees the state of the table. */
  open?: boolean;
}

export type Kind =
  | 'closed'
  | 'ready'
  /** The dice tumble, and their cover stays on while bets are placed. */
  | 'covered'
  | 'bets'
  | 'lastCall'
  /** Dice or ball run, and bets are closed. */
  | 'running'
  /** They lie; what they show is not announced. */
  | 'landed'
  /** A result was entered, and waits to be confirmed before it is announced. */
  | 'entered'
  /** The announced result stands, until the next round begins. */
  | 'result'
  | 'void'
  | 'interrupted';

export interface Result {
  round: number;
  outcome: string;
  lit: Readonly<Record<string, readonly string[]>>;
}

export interface Moment {
  kind: Kind;
  round: number;
  /** No round is played: the last is over, and its winners are paid. */
  between: boolean;
  /** Dice tumble, or the ball runs. */
  moving: boolean;
  /** The dice lie under their cover. */
  hidden: boolean;
  /** What dice or ball may be seen to show: of this round once they lie, of the last one before. */
  faces: readonly string[];
  /** Only when it is announced, and not void. */
  result: Result | null;
  /** What the round that stands here, or the one before, brought this Player; null without a bet in it. */
  mine: Settlement | null;
}

interface Seen {
  own?: Own | null;
  motion?: Pick<MotionShown, 'faces'> | null;
}

/** In these a round is under way, and what the last one showed is shown no more. */
const UNDER_WAY: ReadonlySet<Phase> = new Set(['spinning', 'closed', 'moving', 'rest', 'entering', 'entered']);
const COVERED: ReadonlySet<Phase> = new Set(['moving', 'betting', 'closed']);

export function moment(room: RoomLike, order: Order, { own = null, motion = null }: Seen = {}): Moment {
  const { phase } = room;
  const result = resultOf(room);
  const moving = phase === 'moving' || phase === 'spinning';
  const hidden = order === 'covered' && COVERED.has(phase);
  const seen = result || !UNDER_WAY.has(phase) ? room.result : null;
  const known = seen === null ? (UNDER_WAY.has(phase) && motion?.faces) || [] : facesOf(seen);
  return {
    kind: kindOf(room, order, result),
    round: room.round,
    between: phase === 'ready',
    moving,
    hidden,
    faces: moving || hidden ? [] : known,
    result,
    mine: own && mineOf(own, room),
  };
}

function kindOf(room: RoomLike, order: Order, result: Result | null): Kind {
  switch (room.phase) {
    case 'betting':
    case 'spinning':
      return 'bets';
    case 'closed':
      return 'lastCall';
    case 'moving':
      return order === 'covered' ? 'covered' : 'running';
    case 'rest':
    case 'entering':
      return 'landed';
    case 'entered':
      return result ? 'result' : 'entered';
    case 'interrupted':
      return 'interrupted';
    case 'settling':
      return 'result';
    case 'ready':
      if (result) return 'result';
      if (over(room)?.outcome === null) return 'void';
      return room.open === false ? 'closed' : 'ready';
  }
}

/** The round that has just ended. */
function over({ past, round }: RoomLike) {
  const last = past.at(-1);
  return last?.round === round - 1 ? last : null;
}

/** The result that is announced: it is lit from then on, and until the next round begins. */
function resultOf({ phase, round, result: outcome, lit }: RoomLike): Result | null {
  if (outcome === null || phase === 'interrupted' || Object.keys(lit).length === 0) return null;
  return { round: phase === 'ready' ? round - 1 : round, outcome, lit };
}

/** The room shows the end of a round a moment before a seat gets its own part of it. */
function mineOf(own: Own, room: RoomLike): Settlement | null {
  const judged = own.bets.some((bet) => bet.fate) ? own.bets : [];
  const between = room.phase !== 'settling' && room.phase !== 'entered';
  const last = own.last?.round === room.round - 1 && between ? own.last.bets : judged;
  return last.length ? settlement(last) : null;
}
