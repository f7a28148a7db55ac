/** Dark room, as a floor is; or daylight, for who chooses it. */
import { keep, kept } from './keep';
import { inAddress, dropFromAddress } from './route.svelte';

export type Light = 'dark' | 'day';
const asked = inAddress('light') || kept('light', '');
const state = $state<{ light: Light }>({ light: asked === 'day' ? 'day' : 'dark' });

export function light(): Light {
  return state.light;
}

export function setLight(next: Light): void {
  state.light = next;
  keep('light', next);
  dropFromAddress('light');
  show();
}

/** Called once by every page before it is mounted. */
export function show(): void {
  document.documentElement.dataset['room'] = state.light;
}
