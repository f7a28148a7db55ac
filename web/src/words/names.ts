/** What things are called in the reader's language. A name that the catalogue does not know is shown as it is written. */
import type { Device, SheetPrice } from '../wire';
import { has, say, words } from './catalogue.svelte';

words('staff');
words('acts');

const called = (id: string, otherwise: string): string => (has(id) ? say(id) : otherwise);

/** `total:9` → "Total 9" or "总和 9"; the kind of a box, as limits name it, too: `triple` → "Triple". */
export function boxName(box: string): string {
  const [word, numbers = ''] = box.split(':', 2) as [string, string?];
  return has(`box-${word}`) ? say(`box-${word}`, { numbers: numbers.replaceAll('-', ' · ') }).trim() : box;
}

export const kindName = boxName;

/** Names in a row, as the reader's language sets them. */
export const listed = (names: readonly string[]): string => names.join(say('list-between'));

/** What a box pays, as its book prints it: "1 to 1, 2 to 1, 3 to 1". */
export const oddsName = (prices: readonly SheetPrice[]): string =>
  listed(prices.map(({ odds, to }) => say('odds-to', { odds, to })));

/** A role; `titles` are the book's own words, which are English. */
export const roleName = (role: string): string => called(`role-${role}`, role);

/** A phase, by what is dealt with where that makes a difference. */
export const phaseName = (phase: string, device: Device): string =>
  called(`staff-phase_${phase}`, called(`staff-phase_${phase}_${device}`, phase));

/** One of the tests whether dice or a wheel are fair. */
export const testName = (test: string): string => called(`test-${test}`.replaceAll(' ', '-'), test);

export const irregularityName = (id: string): string => called(`irregularity-${id}`, id);

/** A part of a rulebook, as the comparison of two books names it. */
export const partName = (part: string): string => called(`change-part_${part}`.replaceAll(' ', '_'), part);

export const stateName = (state: string): string => called(`staff-state_${state}`, state);

/** Where something is: the cage and the office have names, a table is called as the House calls it. */
export const placeName = (place: string): string => called(`place-${place}`, place);

export const colourName = (colour: string): string => called(`colour-${colour}`, colour);

/** What a row of a journal holds that is no command. */
export const rowName = (kind: string): string => called(`audit-row_${kind}`, kind);

/** What keeps a clause. */
export const keeperName = (keeper: string): string => called(`keeper-${keeper}`, keeper);

/** What became of the evidence of a clause. */
export const evidenceName = (result: string): string => called(`evidence-${result}`, result);

/** `ticket:1234` → 票券 1234 */
export function accountName(account: string): string {
  const [kind, ...of] = account.split(':') as [string, ...string[]];
  return [called(`account-${kind}`, kind), ...of].join(' ');
}

const BY_DEVICE = new Set(['StartMotion', 'EndMotion', 'count']);

/** The name of an act or of what it asks for; one that is not known here is shown by its id. */
export function actName(name: string, device: Device, says = ''): string {
  const key = BY_DEVICE.has(name) ? `${name}_${device}` : name;
  return has(`acts-${key}`) ? say(`acts-${key}`, { says }) : name;
}
