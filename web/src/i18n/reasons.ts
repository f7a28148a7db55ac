/** Refusals in plain words: the server's sentence, which has all the facts, in the reader's language. */
import { tell } from '../law/told.svelte';

export interface Refusal {
  message: string;
}

export function plain({ message }: Refusal): string {
  const { text, lang } = tell(message);
  const whole = lang ? message : text;
  const first = whole.charAt(0).toUpperCase() + whole.slice(1);
  return /[.!?。！？]$/.test(first) ? first : `${first}${/\p{Script=Han}/u.test(first) ? '。' : '.'}`;
}
