/** How outcomes stand beside each other in a picture: dice by their total, a wheel by its numbers. */
import { facesOf, totalOf } from '../../table/outcome';
import type { Device } from '../../wire';

export function inOrder<T extends { outcome: string }>(all: readonly T[], device: Device): T[] {
  const place = device === 'dice' ? (outcome: string) => totalOf(facesOf(outcome)) : pocket;
  return [...all].sort(
    (one, other) => place(one.outcome) - place(other.outcome) || one.outcome.localeCompare(other.outcome),
  );
}

/** What is no number comes first, then the zeros, the shorter after the longer. */
function pocket(outcome: string): number {
  const number = Number(outcome);
  return Number.isNaN(number) ? -3 : number === 0 ? outcome.length - 3 : number;
}
