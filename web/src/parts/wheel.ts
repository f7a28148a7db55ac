/**
 * An order of the pockets for a picture: the colours alternate and the odd ones stand apart. The order of a real wheel
 * is no rule of any game and changes nothing here.
 */
export function pockets(numbers: readonly string[], colours: Readonly<Record<string, readonly string[]>>): string[] {
  const groups = Object.values(colours).map((group) => numbers.filter((number) => group.includes(number)));
  const order: { at: number; number: string }[] = [];
  for (const [index, group] of groups.entries())
    group.forEach((number, place) =>
      order.push({ at: ((place * 7 + 0.5 + index / groups.length) % group.length) / group.length, number }),
    );
  return order.sort((one, other) => one.at - other.at).map(({ number }) => number);
}
