/** The sentence of a notice for a Player, in the reader's language. */
import { ended } from '../../connect/reasons';
import type { Notice } from '../../wire';
import { has, say, words } from '../../words/catalogue.svelte';

words('notice', 'notices');

/** Of its facts; as the floor says it, where its case is not known here. */
export function noticeSentence({ kind, case: which, facts, clause, message }: Notice): string {
  const id = `notice-${kind}-${which}`;
  if (!has(id)) return message;
  const sentence = say(id, facts);
  return ended(clause ? say('cited', { sentence, clause }) : sentence);
}
