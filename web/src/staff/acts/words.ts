/** Acts, what they ask for and what follows from them, in the reader's language. */
import type { Effect } from '../../wire';
import { words } from '../../words/catalogue.svelte';

export const act = words('acts');
const will = words('will');

/** What will follow from an act. */
export function effectOf(effect: Effect): string {
  return will(effect.case, effect.facts);
}
