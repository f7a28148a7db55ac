/** Betting boxes as people say them. A name that the catalogue does not know is shown as the server writes it. */
import { has, say } from './catalogue.svelte';

/** `total:9` → "Total 9" or "总和 9". */
export function boxName(box: string): string {
  const [word, numbers = ''] = box.split(':', 2) as [string, string?];
  return has(`box-${word}`) ? say(`box-${word}`, { numbers: numbers.replaceAll('-', ' · ') }).trim() : box;
}

/** The kind of a box, as limits name it: `triple` → "Triple" or "围骰". */
export const kindName = boxName;
