/** Amounts are whole cents everywhere; only here do they become text. */

export function money(cents: number): string {
  const sign = cents < 0 ? '-' : '';
  const whole = Math.trunc(Math.abs(cents) / 100);
  const rest = String(Math.abs(cents) % 100).padStart(2, '0');
  return `${sign}${String(whole).replace(/\B(?=(\d{3})+$)/g, ',')}.${rest}`;
}

/** As short as a chip needs it: 5, 2.50, 1K, 1.5K. */
export function shortMoney(cents: number): string {
  const units = cents / 100;
  if (units >= 1_000_000 && cents % 10_000_000 === 0) return `${units / 1_000_000}M`;
  if (units >= 1_000 && cents % 10_000 === 0) return `${units / 1_000}K`;
  return cents % 100 === 0 ? String(units) : units.toFixed(2);
}

/** What a person typed as an amount, in cents; null if it is none. */
export function parseMoney(text: string): number | null {
  const found = /^(\d{1,9}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{2}))?$/.exec(text.trim());
  return found ? Number(found[1]!.replaceAll(',', '')) * 100 + Number(found[2] ?? 0) : null;
}
