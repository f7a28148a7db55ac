/** Refusals in plain words and in the reader's language: of their facts, or of the server's sentence where it has none. */
import { Denied } from './http';
import { tell } from '../law/told.svelte';
import { has, say } from '../words/catalogue.svelte';
import type { Facts } from '../words/fluent';

export interface Refusal {
  message?: string;
  reason?: string;
  case?: string;
  facts?: Facts;
}

export function plain(no: Refusal): string {
  return ended(whyNot(no));
}

/** As a sentence of its own: with a capital letter and a full stop. */
export function ended(whole: string): string {
  const first = whole.charAt(0).toUpperCase() + whole.slice(1);
  return /[.!?。！？]$/.test(first) ? first : `${first}${/\p{Script=Han}/u.test(first) ? '。' : '.'}`;
}

/** Why what was asked was not done, or did not come. */
export function reasonOf(no: unknown): string {
  if (no instanceof Denied && no.status) return plain(no);
  return say(no instanceof Denied && no.reason === 'silent' ? 'staff-silent' : 'staff-unknown');
}

/** The same without a full stop, as a part of another sentence. */
export function whyNot(no: Refusal): string {
  return translated(no) ?? no.message ?? '';
}

function translated({ message = '', reason = '', case: kind, facts = {} }: Refusal): string | null {
  const id = `refused-${reason}-${kind}`.replaceAll(' ', '-');
  if (kind && has(id)) return say(id, facts);
  const { text, lang } = tell(message);
  return lang ? null : text;
}
