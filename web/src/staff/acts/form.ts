/** From what a person filled in to a command. Which fields there are is the server's to say (`needs`). */
import type { Command } from '../../connect/http';
import { nextId } from '../../connect/ids';
import { parseMoney } from '../../words/money';
import type { Limits, Need } from '../../wire';

export interface Lost {
  seat: string;
  box: string;
  stake: string;
}
export type Value = string | number | boolean | readonly string[] | readonly Lost[] | Limits | undefined;
export type Values = Record<string, Value>;

/** The command, or the field that is missing or cannot be read. */
export function commandOf(
  act: string,
  needs: readonly Need[],
  values: Values,
  fixed: Values = {},
): { command: Command } | { missing: string } {
  const fields: Record<string, unknown> = { type: act, ...fixed };
  for (const need of needs) {
    if (need.field in fixed) continue;
    const value = read(need, values[need.field]);
    if (value === undefined) {
      if (need.must) return { missing: need.field };
    } else fields[need.field] = value;
  }
  return { command: fields as unknown as Command };
}

function read(need: Need, value: Value): unknown {
  if (need.kind === 'name') return nextId();
  if (value === undefined || value === '') return undefined;
  switch (need.kind) {
    case 'money':
      return parseMoney(String(value)) ?? undefined;
    case 'count':
    case 'round':
      return Number.isInteger(Number(value)) ? Number(value) : undefined;
    case 'rounds': {
      const numbers = String(value)
        .split(/[,\s]+/)
        .filter(Boolean)
        .map(Number);
      return numbers.length && numbers.every((number) => Number.isInteger(number) && number > 0) ? numbers : undefined;
    }
    case 'lost': {
      const lost = (value as readonly Lost[]).map(({ seat, box, stake }) => ({ seat, box, stake: parseMoney(stake) }));
      return lost.every(({ seat, box, stake }) => seat && box && stake) ? lost : undefined;
    }
    default:
      return value;
  }
}
