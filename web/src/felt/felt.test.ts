/** Every felt on every screen: nothing overlaps, everything can be hit, everything can be reached by keys. */
import { describe, expect, test } from 'vitest';
import type { FeltSheet, Limits } from '../wire';
import { firstChip, rack, stack } from './chips';
import { FINGER, fit, fits } from './fit';
import { next, place, POINTER, TOUCH, type Arrow, type PlacedArea, type Target } from './geometry';
import { keyOf, type Pile } from './piles';
import { print, width } from './print';

const sheets = import.meta.glob<FeltSheet>('../../../build/sheets/*.json', { import: 'default', eager: true });
const screens: [number, number][] = [
  [366, 420],
  [820, 600],
  [1500, 720],
  [3100, 1500],
];
const cases = Object.entries(sheets).flatMap(([file, sheet]) =>
  screens.map(([w, h]) => [file.replace(/.*\/|\.json/g, ''), `${w}×${h}`, sheet, w, h] as const),
);

test('there are eleven', () => expect(Object.keys(sheets)).toHaveLength(11));

describe.each(cases)('%s on %s', (_name, _size, sheet, w, h) => {
  const placed = place(sheet, w, h);

  test('every box has one target that a finger can hit', () => {
    expect(placed.targets.map((target) => target.box).sort()).toEqual(sheet.boxes.map((box) => box.name).sort());
    for (const target of placed.targets) {
      // Only spots around the zeros may be nearer to each other, and then a touch is asked which it meant.
      expect(Math.min(target.w, target.h), target.box).toBeGreaterThanOrEqual((target.dense ? 24 : TOUCH) - 0.01);
      expect(target.dense && !/\b(S|0|00)\b|top-line/.test(target.box), target.box).toBe(false);
    }
  });

  test('areas do not overlap, spots do not overlap, and no area is hidden by its spots', () => {
    for (const kind of [false, true]) {
      const same = placed.targets.filter((target) => target.spot === kind);
      same.forEach((one, index) => same.slice(index + 1).forEach((other) => expect(overlap(one, other)).toBe(false)));
    }
    const spots = placed.targets.filter((target) => target.spot);
    for (const area of placed.targets.filter((target) => !target.spot)) {
      const middle = { ...area, x: area.x + area.w / 2 - 10, y: area.y + area.h / 2 - 10, w: 20, h: 20 };
      expect(
        spots.filter((spot) => overlap(spot, middle)).map((spot) => spot.box),
        area.box,
      ).toEqual([]);
    }
  });

  test('what is printed stays inside its lines', () => printsInside(placed.areas));

  test('arrow keys reach every box', () => {
    const reached = new Set<Target>([placed.targets[0]!]);
    const border = [...reached];
    const arrows: Arrow[] = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'];
    while (border.length) {
      const here = border.pop()!;
      for (const arrow of arrows) {
        const there = next(placed.targets, here, arrow);
        if (there && !reached.has(there)) {
          reached.add(there);
          border.push(there);
        }
      }
    }
    expect(placed.targets.filter((target) => !reached.has(target)).map((target) => target.box)).toEqual([]);
  });
});

/** What is left for the felt in a window of 1920×1080, of 1280×720, of 1024×600 and of 960×540. */
const rooms: [number, number][] = [
  [1560, 780],
  [936, 490],
  [676, 340],
  [680, 380],
];
const fitted = Object.entries(sheets).flatMap(([file, sheet]) =>
  rooms.map(([w, h]) => [file.replace(/.*\/|\.json/g, ''), `${w}×${h}`, sheet, w, h] as const),
);

describe.each(fitted)('the whole of %s in %s', (_name, _size, sheet, w, h) => {
  test('is to be seen, and a mouse can hit every box of it', () => {
    const placed = fit(sheet, w, h, POINTER);
    // The wheel's felt has no room for a mouse in the lowest windows, and is scrolled there.
    if (w < 900 && sheet.spots.length) return expect(placed).toEqual(place(sheet, w, h));
    expect(fits(placed, w, h)).toBe(true);
    for (const target of placed.targets)
      expect(Math.min(target.w, target.h), target.box).toBeGreaterThanOrEqual((target.dense ? 12 : POINTER) - 0.01);
    printsInside(placed.areas);
  });

  test('no target is made smaller than it must be, nor than a finger needs', () => {
    const full = place(sheet, w, h);
    if (fits(full, w, h)) expect(fit(sheet, w, h, POINTER)).toEqual(full);
    const finger = fit(sheet, w, h, FINGER);
    printsInside(finger.areas);
    for (const target of finger.targets)
      if (!target.dense) expect(Math.min(target.w, target.h), target.box).toBeGreaterThanOrEqual(FINGER - 0.01);
  });
});

function printsInside(areas: readonly PlacedArea[]): void {
  for (const area of print(areas, () => '')) {
    const [across, down] = area.upright ? [area.h, area.w] : [area.w, area.h];
    for (const line of area.lines) expect(width(line.text, line.size), line.text).toBeLessThanOrEqual(across + 0.5);
    const middle = area.y + area.h / 2;
    for (const line of area.lines) expect(Math.abs(line.y - middle)).toBeLessThanOrEqual(down / 2 + 0.5);
    for (const mark of area.marks) expect(mark.x).toBeGreaterThanOrEqual(area.x - 0.5);
  }
}

function overlap(one: Target, other: Target): boolean {
  const across = Math.min(one.x + one.w, other.x + other.w) - Math.max(one.x, other.x);
  const down = Math.min(one.y + one.h, other.y + other.h) - Math.max(one.y, other.y);
  return across > 0.5 && down > 0.5;
}

test('chips are whole units and make up their amount', () => {
  const limits = { unit: 1_00, minimum: { '*': 5_00 }, maximum: { '*': 1_000_00 }, differential: null } as Limits;
  const chips = rack(limits);
  expect(chips.every((value) => value % limits.unit === 0)).toBe(true);
  expect(firstChip(chips, limits)).toBe(5_00);
  expect(stack(6_00, chips)).toEqual([5_00, 1_00]);
  expect(stack(37_00, chips).reduce((sum, value) => sum + value, 0)).toBe(37_00);
});

test('a chip that is registered is the chip that was asked for: it does not land twice', () => {
  const asked: Pile = { box: 'big', amount: 5_00, pending: 5_00, kind: 'placed' };
  expect(keyOf(asked)).toBe(keyOf({ ...asked, pending: 0 }));
  expect(keyOf({ ...asked, win: true })).not.toBe(keyOf(asked));
});
