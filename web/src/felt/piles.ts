/** Chips on the felt: registered (placed), asked for (pending), collected (lost), winnings (paid), taken home. */
export type PileKind = 'placed' | 'pending' | 'lost' | 'paid' | 'home';

export interface Pile {
  box: string;
  amount: number;
  kind: PileKind;
}
