/** Moments as the House's clock shows them, wherever the browser is. */

/** The moment at which the clocks of a zone show `2026-11-17T20:30`; NaN if that is no time. */
export function momentIn(zone: string, shown: string): number {
  const wall = Date.parse(`${shown}Z`);
  // Twice: the first guess may lie on the other side of a change of the clocks.
  return wall - offset(zone, wall - offset(zone, wall));
}

/** How far a zone's clocks are ahead of UTC at a moment, in ms. */
function offset(zone: string, moment: number): number {
  if (Number.isNaN(moment)) return NaN;
  const format = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const part = Object.fromEntries(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  const shown = Date.parse(
    `${part['year']!.padStart(4, '0')}-${part['month']}-${part['day']}T${part['hour']}:${part['minute']}:${part['second']}Z`,
  );
  return shown - Math.floor(moment / 1000) * 1000;
}
