/** Acts of a person at one table: one at a time, with what came of the last. */
import { Denied, giveAtTable, type Command } from '../connect/http';
import { reasonOf } from '../connect/reasons';
import type { DoneAtTable } from '../wire';
import { act } from './acts/words';
import { t } from './words';

export interface Report {
  good: boolean;
  text: string;
  clause: string | null;
}

export class Desk {
  busy = $state(false);
  report = $state.raw<Report | null>(null);
  #before: Promise<unknown> = Promise.resolve();

  constructor(readonly table: string) {}

  /** What happened, or null if it was refused: then `report` says why. Acts arrive in the order in which they were done. */
  give(command: Command): Promise<DoneAtTable | null> {
    const done = this.#before.then(() => this.#give(command));
    this.#before = done;
    return done;
  }

  /** Where the act goes. */
  protected send(command: Command): Promise<DoneAtTable> {
    return giveAtTable(this.table, command);
  }

  async #give(command: Command): Promise<DoneAtTable | null> {
    this.busy = true;
    this.report = null;
    try {
      const done = await this.send(command);
      this.report = news(done);
      return done;
    } catch (no) {
      this.report = { good: false, text: reasonOf(no), clause: no instanceof Denied ? no.clause : null };
      return null;
    } finally {
      this.busy = false;
    }
  }
}

/** What people must announce or know after an act. */
function news({ events }: DoneAtTable): Report | null {
  for (const event of events) {
    if (event.type === 'ApprovalRequested')
      return { good: true, text: act('asked', { number: event.request }), clause: null };
    if (event.type === 'ReportContradicted')
      return { good: false, text: act('standsStill', { number: event.request }), clause: event.clause };
    if (event.type === 'RoundVoided')
      return {
        good: true,
        text: [event.words && `“${event.words}”`, t('voidBy', { clause: event.clause })].filter(Boolean).join(' · '),
        clause: event.clause,
      };
  }
  return null;
}
