/** How outcomes stand beside each other in a picture: dice by their total, a wheel by its numbers. */
export function inOrder<T extends { outcome: string }>(all: readonly T[]): T[] {
  return [...all].sort(
    (one, other) => place(one.outcome) - place(other.outcome) || one.outcome.localeCompare(other.outcome),
  );
}

export function totalOf(outcome: string): number | null {
  return outcome.includes('-') ? outcome.split('-').reduce((sum, face) => sum + Number(face), 0) : null;
}

function place(outcome: string): number {
  const total = totalOf(outcome);
  if (total !== null) return total;
  const number = Number(outcome);
  return Number.isNaN(number) ? -3 : number === 0 ? outcome.length - 3 : number;
}
