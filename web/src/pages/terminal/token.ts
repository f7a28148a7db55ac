/** The key of this terminal. It comes once, in the part of an address that no server sees, and stays on this machine. */

const KEY = 'croupier.terminal';

export function token(): string {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given) {
    history.replaceState(null, '', location.pathname + location.search);
    return keepToken(given);
  }
  return sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY) ?? '';
}

/** A tab keeps its own, so that two seats can be tried beside each other; a machine started anew has the last. */
export function keepToken(given: string): string {
  sessionStorage.setItem(KEY, given);
  localStorage.setItem(KEY, given);
  return given;
}

export function forgetToken(): string {
  sessionStorage.removeItem(KEY);
  localStorage.removeItem(KEY);
  return '';
}
