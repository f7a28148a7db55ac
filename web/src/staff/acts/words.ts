/** Acts, and what they ask for, in the reader's language. */
import { has, say, words } from '../../words/catalogue.svelte';

export const act = words('acts');
const BY_DEVICE = new Set(['StartMotion', 'EndMotion', 'count']);

/** The name of an act or of what it asks for; one that is not known here is shown as the server calls it. */
export function actName(name: string, device: 'dice' | 'wheel', says = '', label = name): string {
  const key = BY_DEVICE.has(name) ? `${name}_${device}` : name;
  return has(`acts-${key}`) ? say(`acts-${key}`, { says }) : label;
}
