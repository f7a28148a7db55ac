/** Words that the pages of the staff share. */
import { words } from '../words/catalogue.svelte';

export const t = words('staff');

type Key = Parameters<typeof t>[0];
const ROLES = new Set([
  'dealer',
  'pit-supervisor',
  'pit-manager',
  'shift-manager',
  'auditor',
  'administrator',
  'device',
  'system',
]);

/** A role in the reader's language; `titles` are the book's own words, which are English. */
export function roleName(role: string): string {
  if (role === 'cashier') return t('cashierRole');
  return ROLES.has(role) ? t(role as Key) : role;
}

const PHASES = new Set(['ready', 'betting', 'spinning', 'closed', 'entering', 'entered', 'settling', 'interrupted']);

export function phaseName(phase: string, device: 'dice' | 'wheel'): string {
  if (PHASES.has(phase)) return t(`phase_${phase}` as Key);
  return phase === 'moving' || phase === 'rest' ? t(`phase_${phase}_${device}` as Key) : phase;
}

export function stateName(state: 'open' | 'closed' | 'locked' | 'interrupted' | 'stopped'): string {
  return t(`state_${state}`);
}
