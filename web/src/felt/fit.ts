/** How large the targets of a felt may be, so that the whole felt is to be seen in the room there is. */
import type { FeltSheet } from '../wire';
import { place, TOUCH, type Placed } from './geometry';

export const FINGER = 40; // what a finger needs at least, where the whole felt is to be seen

/**
 * The whole felt with the largest targets with which it fits, none smaller than `least`. A felt that does not fit even
 * so has its full size, and is scrolled.
 */
export function fit(sheet: FeltSheet, width: number, height: number, least: number): Placed {
  const full = place(sheet, width, height);
  if (fits(full, width, height)) return full;
  let best = place(sheet, width, height, least);
  if (!fits(best, width, height)) return full;
  for (let from = least, to = TOUCH; to - from > 1;) {
    const size = (from + to) / 2;
    const placed = place(sheet, width, height, size);
    if (fits(placed, width, height)) [best, from] = [placed, size];
    else to = size;
  }
  return best;
}

export function fits(placed: Placed, width: number, height: number): boolean {
  return placed.width <= width + 0.5 && placed.height <= height + 0.5;
}
