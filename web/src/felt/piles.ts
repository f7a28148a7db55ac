/** Chips on the felt: registered (placed), asked for (pending), collected (lost), winnings (paid), taken home. */
export type PileKind = 'placed' | 'pending' | 'lost' | 'paid' | 'home';

export interface Pile {
  box: string;
  amount: number;
  kind: PileKind;
  /** Winnings, which lie beside the stake. */
  win?: boolean;
}

/** What lies at one place is one pile. */
export function keyOf({ box, kind, win }: Pile): string {
  return `${box} ${win ? 'win' : kind === 'pending' ? 'pending' : ''}`;
}
