/** What the name of an outcome says: `3-5-6` of dice, `17` of a wheel. */

export const facesOf = (outcome: string): string[] => outcome.split('-');

/** The sum of dice that lie with these faces up. */
export const totalOf = (faces: readonly string[]): number => faces.reduce((sum, face) => sum + Number(face), 0);

/** The colour that a book gives a number; empty for a number that has none, and for dice. */
export function colourOf(number: string, colours: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(colours).find(([, group]) => group.includes(number))?.[0] ?? '';
}
