/** What belongs together, in the order in which it was first met. */
export function grouped<T>(all: Iterable<T>, key: (one: T) => string): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const one of all) {
    const those = found.get(key(one));
    if (those) those.push(one);
    else found.set(key(one), [one]);
  }
  return found;
}

/** How much lies under each key. */
export function summed<T>(all: Iterable<T>, key: (one: T) => string, amount: (one: T) => number): Map<string, number> {
  const found = new Map<string, number>();
  for (const one of all) found.set(key(one), (found.get(key(one)) ?? 0) + amount(one));
  return found;
}

export const unique = <T>(all: Iterable<T>): T[] => [...new Set(all)];
