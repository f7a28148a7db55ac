/** What a message may do with a fact: `{ MONEY($total) }`. The same functions as in `src/croupier/words/functions.py`. */
import { FluentNone, FluentNumber, FluentType, type FluentFunction, type FluentValue } from '@fluent/bundle';
import { money } from './money';

/** The catalogue of one language, as functions need it. */
export interface Voice {
  /** What a message says, or null if there is none of this id. */
  name(id: string, facts?: Readonly<Record<string, string | number>>): string | null;
  zone(): string;
  /** What a book says, where it is known in the reader's language. */
  law(words: string): string;
}

/** A fact that is several names. */
export class Names extends FluentType<readonly string[]> {
  readonly #voice: Voice;
  constructor(names: readonly string[], voice: Voice) {
    super(names);
    this.#voice = voice;
  }
  override toString(): string {
    return listed(this.value, this.#voice);
  }
}

/** A fact that is a number, as it is: row 12345. */
export const plainNumber = (count: number) => new FluentNumber(count, { useGrouping: false });

type Of = (fact: FluentValue, voice: Voice, how: string, joint?: string) => string;

const text = (fact: FluentValue) => (typeof fact === 'string' ? fact : String((fact as FluentType<unknown>).valueOf()));
const several = (fact: FluentValue): readonly string[] => (fact instanceof Names ? fact.value : [text(fact)]);

/** Names in a row. A joint, "and" or "or", stands before the last. */
function listed(names: readonly string[], voice: Voice, joint = ''): string {
  const between = voice.name('list-between') ?? ', ';
  if (!joint || names.length < 2) return names.join(between);
  return `${names.slice(0, -1).join(between)}${voice.name(`list-${joint}`)}${names.at(-1)}`;
}

/** One of a closed family of words: `dealer` of the roles by the message `role-dealer`; an unknown one as it is. */
const named: Of = (fact, voice, family) => called(text(fact), voice, family);
const called = (name: string, voice: Voice, family: string): string =>
  voice.name(`${family}-${name}`.replaceAll(' ', '-')) ?? name;

/** A betting box as people call it: `total:9` is "Total 9". */
const box: Of = (fact, voice) => {
  const [word, numbers = ''] = text(fact).split(':', 2) as [string, string?];
  return voice.name(`box-${word}`, { numbers: numbers.replaceAll('-', ' · ') })?.trim() ?? text(fact);
};

/** A moment, in milliseconds since 1970, by the clocks of the House. */
const moment: Of = (fact, voice) => {
  const zone = voice.zone();
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).formatToParts(Number(text(fact)));
  const at = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  const year = at['year']!.padStart(4, '0');
  const utc = zone === 'UTC' ? ' UTC' : '';
  return `${year}-${at['month']}-${at['day']} ${at['hour']}:${at['minute']}:${at['second']}${utc}`;
};

const of =
  (family: string): Of =>
  (fact, voice) =>
    named(fact, voice, family);

const each =
  (one: Of): Of =>
  (fact, voice, joint) =>
    listed(
      several(fact).map((name) => one(name, voice, '')),
      voice,
      joint,
    );

const FUNCTIONS: Readonly<Record<string, Of>> = {
  MONEY: (fact) => money(Number(text(fact))),
  NUMBER: (fact) => text(fact).replace(/\B(?=(\d{3})+$)/g, ','),
  MOMENT: moment,
  SECONDS: (fact, voice) => voice.name('span-seconds', { seconds: Number(text(fact)) }) ?? text(fact),
  BOX: box,
  BOXES: each(box),
  NAME: named,
  NAMES: (fact, voice, family, joint) =>
    listed(
      several(fact).map((name) => called(name, voice, family)),
      voice,
      joint,
    ),
  LIST: (fact, voice, joint) => listed(several(fact), voice, joint),
  LAW: (fact, voice) => voice.law(text(fact)),
  ROLE: of('role'),
  ROLES: each(of('role')),
  PHASE: of('phase'),
  PHASES: each(of('phase')),
  ACT: of('act'),
  ACTS: each(of('act')),
};

/** The functions of one language, as the bundle calls them. */
export function functionsOf(voice: Voice): Record<string, FluentFunction> {
  const ours = Object.entries(FUNCTIONS).map(([id, make]): [string, FluentFunction] => [
    id,
    ([fact, ...how]) => {
      if (fact instanceof FluentNone) return fact;
      const [first = '', second = ''] = how.map(text);
      return make(fact!, voice, first, second);
    },
  ]);
  // For a choice: is there such a fact, and is it not empty?
  const given: FluentFunction = ([fact]) =>
    fact === undefined || fact instanceof FluentNone || fact === '' || (fact instanceof Names && !fact.value.length)
      ? 'no'
      : 'yes';
  return { ...Object.fromEntries(ours), GIVEN: given };
}
