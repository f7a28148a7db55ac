/** Where the areas and spots of a felt lie on a screen: never smaller than a finger, turned when the screen is wide. */
import type { FeltSheet, SheetArea } from '../wire';

export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}
export interface PlacedArea extends Rect {
  area: SheetArea;
}
/** Something a chip can be put on. A spot lies on the lines, above the areas. */
export interface Target extends Rect {
  box: string;
  spot: boolean;
  /** Too near its neighbours for a finger: a touch is asked which of them it meant. */
  dense: boolean;
}
export interface Placed {
  width: number;
  height: number;
  turned: boolean;
  areas: PlacedArea[];
  targets: Target[];
}

export const TOUCH = 44;
export const POINTER = 24; // what a mouse, or a finger that is asked again, needs at least
const CAPTION = 22;
const CELL_RATIO = 1.7; // a row is so much higher than a column is wide, where there is room

/** Cells in one direction: what each needs at least, and how much of the rest it wants. */
interface Track {
  least: number[];
  weight: number[];
}

export function place(sheet: FeltSheet, width: number, height: number, touch = TOUCH): Placed {
  const turned = shouldTurn(sheet, width, height);
  const across = tracks(sheet, turned, touch);
  const down = tracks(sheet, !turned, touch);
  const xs = edges(across, width);
  const ys = edges(
    down,
    Math.min(height, (xs.at(-1)! * down.weight.length * CELL_RATIO) / across.weight.length || height),
  );
  const areas = sheet.areas.map((area) => ({ area, ...rect(area, sheet, turned, xs, ys) }));
  return {
    width: xs.at(-1)!,
    height: ys.at(-1)!,
    turned,
    areas,
    targets: [...onAreas(areas), ...onLines(sheet, turned, xs, ys, areas, touch)],
  };
}

/** A felt that stands on end is laid on its side where the screen is wide: top to the left, as from a chair. */
function shouldTurn(sheet: FeltSheet, width: number, height: number): boolean {
  const upright = sheet.rows > sheet.columns;
  return sheet.spots.length > 0 && upright && width > height;
}

function tracks(sheet: FeltSheet, rows: boolean, touch: number): Track {
  const count = rows ? sheet.rows : sheet.columns;
  const least = new Array<number>(count).fill(0);
  const captions = new Array<boolean>(count).fill(true);
  for (const area of sheet.areas) {
    const [from, span] = rows ? [area.row, area.height] : [area.column, area.width];
    const need = area.box ? touch + (touch / 2) * linedSides(sheet, area, rows) : rows ? CAPTION : 0;
    for (let cell = from; cell < from + span; cell += 1) {
      least[cell] = Math.max(least[cell]!, need / span);
      if (area.box) captions[cell] = false;
    }
  }
  const half =
    Math.min(...sheet.areas.filter((area) => area.fill).map((area) => (rows ? area.height : area.width))) / 2;
  for (const [from, to] of neighbours(sheet, rows, half)) {
    const need = (to - from < half ? POINTER : touch) / (to - from);
    for (let cell = Math.floor(from); cell < to; cell += 1) least[cell] = Math.max(least[cell]!, need);
  }
  return { least, weight: captions.map((only) => (only && rows ? 0.55 : 1)) };
}

/** Pairs of spots beside each other on one line, at most so far apart. */
function neighbours(sheet: FeltSheet, rows: boolean, most: number): [number, number][] {
  const places = sheet.spots.map((spot) => (rows ? [spot.y, spot.x] : [spot.x, spot.y]) as [number, number]);
  return places.flatMap(([from, line]) =>
    places
      .filter(([to, other]) => other === line && to > from && to - from <= most)
      .map(([to]) => [from, to] as [number, number]),
  );
}

/** On how many of two opposite edges of an area spots lie: each takes half a touch of it. */
function linedSides(sheet: FeltSheet, area: SheetArea, rows: boolean): number {
  const [from, span, across, width] = rows
    ? [area.row, area.height, area.column, area.width]
    : [area.column, area.width, area.row, area.height];
  const lies = (edge: number) =>
    sheet.spots.some((spot) => {
      const [on, beside] = rows ? [spot.y, spot.x] : [spot.x, spot.y];
      return on === edge && across <= beside && beside <= across + width;
    });
  return Number(lies(from)) + Number(lies(from + span));
}

/** The lines between cells: everyone gets what he needs, the rest is shared by weight. */
function edges({ least, weight }: Track, room: number): number[] {
  const pinned = new Array<boolean>(least.length).fill(false);
  let each = 0;
  for (;;) {
    const free = room - sum(least.filter((_, cell) => pinned[cell]));
    each = Math.max(0, free) / (sum(weight.filter((_, cell) => !pinned[cell])) || 1);
    const short = least.findIndex((need, cell) => !pinned[cell] && need > each * weight[cell]!);
    if (short < 0) break;
    pinned[short] = true;
  }
  const lines = [0];
  for (let cell = 0; cell < least.length; cell += 1)
    lines.push(lines[cell]! + (pinned[cell] ? least[cell]! : each * weight[cell]!));
  return lines;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function rect(area: SheetArea, sheet: FeltSheet, turned: boolean, xs: number[], ys: number[]): Rect {
  const [column, row, wide, high] = turned
    ? [area.row, area.column, area.height, area.width]
    : [area.column, area.row, area.width, area.height];
  if (!turned) return between(xs[column]!, xs[column + wide]!, ys[row]!, ys[row + high]!);
  // The left edge of the felt becomes its bottom: count rows from below.
  const bottom = ys[sheet.columns]!;
  return between(xs[column]!, xs[column + wide]!, bottom - ys[row + high]!, bottom - ys[row]!);
}

function between(left: number, right: number, top: number, bottom: number): Rect {
  return { x: left, y: top, w: right - left, h: bottom - top };
}

function onAreas(areas: PlacedArea[]): Target[] {
  return areas.flatMap(({ area, x, y, w, h }) =>
    area.box ? [{ box: area.box, spot: false, dense: false, x, y, w, h }] : [],
  );
}

function onLines(
  sheet: FeltSheet,
  turned: boolean,
  xs: number[],
  ys: number[],
  areas: PlacedArea[],
  touch: number,
): Target[] {
  const points = sheet.spots.map((spot) => {
    const [x, y] = turned ? [at(xs, spot.y), ys[sheet.columns]! - at(ys, spot.x)] : [at(xs, spot.x), at(ys, spot.y)];
    return { box: spot.box, x, y };
  });
  return points.map(({ box, x, y }) => {
    const near = areas.filter((placed) => placed.area.box && distance(placed, x, y) < 1);
    const free = Math.min(
      ...points.map((other) => (other.box === box ? Infinity : Math.max(Math.abs(other.x - x), Math.abs(other.y - y)))),
    );
    const wanted = Math.max(touch, Math.min(touch * 1.6, ...near.map((one) => Math.min(one.w, one.h) / 2.4)));
    const side = Math.min(wanted, free);
    return { box, spot: true, dense: side < touch - 0.01, x: x - side / 2, y: y - side / 2, w: side, h: side };
  });
}

/** A place between two lines of the grid, such as 2.5. */
function at(lines: number[], place: number): number {
  const before = Math.floor(place);
  const rest = place - before;
  return rest ? lines[before]! + (lines[before + 1]! - lines[before]!) * rest : lines[before]!;
}

function distance(box: Rect, x: number, y: number): number {
  const across = Math.max(box.x - x, 0, x - box.x - box.w);
  const down = Math.max(box.y - y, 0, y - box.y - box.h);
  return Math.max(across, down);
}

export type Arrow = 'ArrowUp' | 'ArrowDown' | 'ArrowLeft' | 'ArrowRight';

/** The target that an arrow key leads to: the nearest in that direction, straight ahead before aside. */
export function next(targets: readonly Target[], from: Target, arrow: Arrow): Target | undefined {
  const [dx, dy] = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] }[arrow] as [
    number,
    number,
  ];
  let best: Target | undefined;
  let least = Infinity;
  for (const target of targets) {
    const across = apart(from.x, from.w, target.x, target.w);
    const down = apart(from.y, from.h, target.y, target.h);
    const ahead = dx ? across.centre * dx : down.centre * dy;
    if (target === from || ahead < 2) continue;
    const [along, aside] = dx ? [across, down] : [down, across];
    const cost = Math.max(0, along.gap) + 4 * Math.max(0, aside.gap) + Math.abs(aside.centre) / 3 + ahead / 50;
    if (cost < least) [best, least] = [target, cost];
  }
  return best;
}

/** How far two spans lie apart: their nearest ends (below zero if they overlap) and their centres. */
function apart(from: number, span: number, to: number, other: number): { gap: number; centre: number } {
  return { gap: Math.max(to - from - span, from - to - other), centre: to + other / 2 - from - span / 2 };
}
