/** What is printed in an area, in sizes that stay inside it; areas that are alike are printed alike. */
import type { SheetArea } from '../wire';
import type { PlacedArea } from './geometry';

export interface Line {
  text: string;
  size: number;
  y: number;
  what: 'label' | 'extra' | 'odds';
}
export interface Mark {
  mark: string;
  x: number;
  y: number;
  side: number;
}
export interface Printed extends PlacedArea {
  upright: boolean;
  lines: Line[];
  marks: Mark[];
}

interface Sizes {
  mark: number;
  label: number;
  odds: number;
}
const LINE = 1.12;
const ODDS = 0.62;
const MOST_ODDS = 19;
const EXTRA = 0.82;
const ONE_LINE = 0.62; // the print of a box shrinks so far before it is broken into lines, a legend
const ONE_LINE_LEGEND = 0.85; // so far
/** Printed between two words, on one line with both. */
const JOINTS = new Set(['to', 'TO', 'WINS', 'AND', '-']);

/** `extra` says a second name of a box, in the reader's language, or nothing. */
export function print(areas: readonly PlacedArea[], extra: (box: string, height: number) => string): Printed[] {
  const sizes = new Map<string, Sizes>();
  const scale = scaleOf(areas);
  const extras = areas.map(({ area, h }) => (area.box ? extra(area.box, h) : ''));
  areas.forEach((placed, index) => {
    const fitting = fit(placed, extras[index]!, scale);
    const key = alike(placed);
    const before = sizes.get(key) ?? fitting;
    sizes.set(key, {
      mark: Math.min(fitting.mark, before.mark),
      label: Math.min(fitting.label, before.label),
      odds: Math.min(fitting.odds, before.odds),
    });
  });
  return areas.map((placed, index) => set(placed, extras[index]!, sizes.get(alike(placed))!));
}

/** On a very large screen everything grows with the felt. */
function scaleOf(areas: readonly PlacedArea[]): number {
  const width = Math.max(...areas.map(({ x, w }) => x + w));
  const height = Math.max(...areas.map(({ y, h }) => y + h));
  return Math.max(1, Math.min(width / 1500, height / 720));
}

function alike({ area, w, h }: PlacedArea): string {
  const [word, numbers] = (area.box ?? "'").split(':');
  return `${numbers !== undefined || !area.box ? word : ''} ${Math.round(w)} ${Math.round(h)}`;
}

function isUpright({ area, w, h }: PlacedArea): boolean {
  return !area.box && h > 2 * w;
}

function room(placed: PlacedArea): [number, number] {
  const pad = Math.min(6, placed.w * 0.09);
  const [w, h] = [placed.w - 2 * pad, placed.h - 2 * Math.min(5, placed.h * 0.08)];
  return isUpright(placed) ? [h, w] : [w, h];
}

function fit(placed: PlacedArea, extra: string, scale: number): Sizes {
  const [w, h] = room(placed);
  const most = placed.area.box ? Math.min(46 * scale, h * 0.52) : Math.min(20 * scale, h * 0.8);
  for (let size = most; ; size -= 0.5) {
    const sizes = {
      mark: markSide(placed.area, Math.min(44 * scale, size * 1.55), w),
      label: narrowed(placed.area.label, size, w, placed.area.box ? ONE_LINE : ONE_LINE_LEGEND),
      odds: narrowed(placed.area.odds, Math.min(MOST_ODDS * scale, Math.max(size * ODDS, Math.min(size, 9))), w),
    };
    if (size <= 6 || height(placed.area, extra, sizes, w) <= h) return sizes;
  }
}

function markSide(area: SheetArea, wanted: number, w: number): number {
  return area.marks.length ? Math.min(wanted, w / area.marks.length) : Infinity;
}

function narrowed(text: string, size: number, w: number, oneLine = ONE_LINE): number {
  if (!text) return size;
  if (width(text, size * oneLine) <= w) return Math.min(size, w / width(text, 1));
  return Math.min(size, w / Math.max(...words(text).map((word) => width(word, 1))));
}

function height(area: SheetArea, extra: string, sizes: Sizes, w: number): number {
  const lines = textLines(area, extra, sizes, w);
  return lines.reduce((sum, line) => sum + line.size * LINE, 0) + (area.marks.length ? sizes.mark * 1.06 : 0);
}

function textLines(area: SheetArea, extra: string, sizes: Sizes, w: number): Omit<Line, 'y'>[] {
  const extraSize = Math.min(sizes.label * EXTRA, w / Math.max(1, width(extra, 1)));
  return [
    ...wrapped(area.label, sizes.label, w).map((text) => ({ text, size: sizes.label, what: 'label' as const })),
    ...(extra ? [{ text: extra, size: extraSize, what: 'extra' as const }] : []),
    ...wrapped(area.odds, sizes.odds, w).map((text) => ({ text, size: sizes.odds, what: 'odds' as const })),
  ];
}

function wrapped(text: string, size: number, w: number): string[] {
  const lines: string[] = [];
  for (const word of words(text)) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && width(longer, size) <= w + 0.01) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

function words(text: string): string[] {
  const left = text.split(' ').filter(Boolean);
  const found: string[] = [];
  while (left.length) found.push(left.splice(0, left.length > 2 && JOINTS.has(left[1]!) ? 3 : 1).join(' '));
  return found;
}

/** About how wide a text is in the narrow cut of our type, with a little to spare. */
export function width(text: string, size: number): number {
  let sum = 0;
  for (const letter of text)
    sum +=
      letter > '⺀'
        ? 1.02
        : /[A-Z]/.test(letter)
          ? 0.66
          : /[0-9½]/.test(letter)
            ? 0.58
            : /[a-z]/.test(letter)
              ? 0.54
              : 0.3;
  return sum * size;
}

function set(placed: PlacedArea, extra: string, sizes: Sizes): Printed {
  const { area } = placed;
  const [w] = room(placed);
  const [x, centre] = [placed.x + placed.w / 2, placed.y + placed.h / 2];
  let y = centre - height(area, extra, sizes, w) / 2;
  const side = sizes.mark;
  const marks = area.marks.map((mark, number) => ({ mark, x: x + (number - area.marks.length / 2) * side, y, side }));
  if (marks.length) y += side * 1.06;
  const lines = textLines(area, extra, sizes, w).map((line) => {
    const baseline = y + line.size * 0.9;
    y += line.size * LINE;
    return { ...line, y: baseline };
  });
  return { ...placed, upright: isUpright(placed), lines, marks };
}
