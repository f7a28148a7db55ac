/** What the parts of a console share. */
import type { Desk } from '../../staff/desk.svelte';
import type { Moment } from '../../table/moment';
import type { BookSheet, Console, FeltSheet } from '../../wire';

export interface At {
  view: Console;
  desk: Desk;
  book: BookSheet;
  sheets: readonly FeltSheet[];
  now: Moment;
}
