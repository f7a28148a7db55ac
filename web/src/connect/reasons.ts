/** Refusals in the reader's language: from their facts, or in the sentence of a row or a server of another version. */
import { Denied } from './http';
import { has, say } from '../words/catalogue.svelte';
import { tag } from '../words/language.svelte';
import type { Facts } from '../words/fluent';

export interface Refusal {
  message?: string;
  reason?: string;
  case?: string;
  facts?: Facts;
}
const STOPS = '.!?。！？';
const ENGLISH = 'en';

/** A refusal as a sentence of its own. */
export function plain(no: Refusal): string {
  const sentence = whyNot(no);
  return languageOf(no) ? `${capital(sentence)}.` : ended(sentence);
}

/** With a capital letter and a full stop. */
export function ended(sentence: string): string {
  const whole = capital(sentence);
  return STOPS.includes(whole.at(-1) ?? '') ? whole : say('full-stop', { said: whole });
}

const capital = (sentence: string) => sentence.charAt(0).toUpperCase() + sentence.slice(1);

/** Why a request was not done, or why there was no answer. */
export function reasonOf(no: unknown): string {
  if (no instanceof Denied && no.status) return plain(no);
  return say(no instanceof Denied && no.reason === 'silent' ? 'staff-silent' : 'staff-unknown');
}

/** Without a full stop, as a part of another sentence. */
export function whyNot(no: Refusal): string {
  return isKnown(no) ? say(idOf(no), no.facts) : (no.message ?? '');
}

/** The language in which a refusal is shown, where it is not the page's. */
export function languageOf(no: Refusal): string | undefined {
  return isKnown(no) || tag() === ENGLISH ? undefined : ENGLISH;
}

const idOf = ({ reason, case: which }: Refusal) => `refused-${reason}-${which}`.replaceAll(' ', '-');
const isKnown = (no: Refusal) => Boolean(no.case) && has(idOf(no));
