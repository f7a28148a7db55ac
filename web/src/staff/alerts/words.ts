/** Alerts in the reader's language. */
import type { RaiseAlert } from '../../wire';
import { whyNot } from '../../connect/reasons';
import { has, say, words } from '../../words/catalogue.svelte';

words('alert', 'alerts');
words('refused', 'refusals');

/** An alert as it was raised, or as it stands. */
export type Raised = Pick<RaiseAlert, 'kind' | 'case' | 'facts' | 'because' | 'what'>;

/** The heading of an alert; one whose kind is not known here is shown as the server calls it. */
export function alertName(kind: string): string {
  return has(`alert-heading-${kind}`) ? say(`alert-heading-${kind}`) : kind;
}

/** The sentence of an alert; null for an old one, which has a sentence of its own. */
export function alertSentence({ kind, case: which, facts, because }: Raised): string | null {
  if (!which) return null;
  const sentence = say(`alert-${kind}-${which}`, facts);
  return because ? say('because', { sentence, why: whyNot(because) }) : sentence;
}
