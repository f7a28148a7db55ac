/** The key of this terminal. It comes once, in the part of an address that no server sees, and stays on this machine. */
import { forget, keep, kept } from '../../app/keep';
import { inAddress, dropFromAddress } from '../../app/route.svelte';

export function token(): string {
  const given = inAddress('token');
  if (!given) return kept('terminal', '', sessionStorage) || kept('terminal', '');
  dropFromAddress('token');
  return keepToken(given);
}

/** A tab keeps its own, so that two seats can be tried beside each other; a machine started anew has the last. */
export function keepToken(given: string): string {
  for (const where of [sessionStorage, localStorage]) keep('terminal', given, where);
  return given;
}

export function forgetToken(): string {
  for (const where of [sessionStorage, localStorage]) forget('terminal', where);
  return '';
}
