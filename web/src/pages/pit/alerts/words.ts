/** Kinds of alerts in the reader's language. */
import { has, say, words } from '../../../words/catalogue.svelte';

words('alert-heading', 'alerts');

/** The heading of an alert; one whose kind is not known here is shown as the server calls it. */
export function alertName(kind: string): string {
  return has(`alert-heading-${kind}`) ? say(`alert-heading-${kind}`) : kind;
}
