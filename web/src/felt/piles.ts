/** Chips on the felt: placed, collected (lost), winnings (paid), taken home. */
export type PileKind = 'placed' | 'lost' | 'paid' | 'home';

export interface Pile {
  box: string;
  amount: number;
  kind: PileKind;
  /** As much of the amount is asked for and not registered yet: it is drawn faintly, on what is. */
  pending?: number;
  /** Winnings, which lie beside the stake. */
  win?: boolean;
}

/** What lies at one place is one pile, and stays the same pile when what was asked for is registered. */
export function keyOf({ box, win }: Pile): string {
  return win ? `${box} win` : box;
}
