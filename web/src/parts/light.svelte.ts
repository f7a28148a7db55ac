/** Dark room, as a floor is; or daylight, for who chooses it. */

export type Light = 'dark' | 'day';
const KEY = 'croupier.light';

function first(): Light {
  if (typeof localStorage === 'undefined') return 'dark';
  const asked = new URLSearchParams(location.hash.slice(1)).get('light') ?? localStorage.getItem(KEY);
  return asked === 'day' ? 'day' : 'dark';
}

const state = $state<{ light: Light }>({ light: first() });

export function light(): Light {
  return state.light;
}

export function setLight(next: Light): void {
  state.light = next;
  localStorage.setItem(KEY, next);
  show();
}

/** Called once by every page before it is mounted. */
export function show(): void {
  document.documentElement.dataset['room'] = state.light;
}
