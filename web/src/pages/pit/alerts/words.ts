/** Alerts in the reader's language. */
import type { Alert } from '../../../wire';
import { has, say, words } from '../../../words/catalogue.svelte';

words('alert', 'alerts');

/** The heading of an alert; one whose kind is not known here is shown as the server calls it. */
export function alertName(kind: string): string {
  return has(`alert-heading-${kind}`) ? say(`alert-heading-${kind}`) : kind;
}

/** What an alert tells; null for one of before, which has a sentence of its own. */
export function alertSaid({ kind, case: which, facts }: Alert): string | null {
  return which ? say(`alert-${kind}-${which}`, facts) : null;
}
