/** Betting boxes as people say them. A name that no pattern knows is shown as the server writes it. */
import { words } from './language.svelte';

const t = words(
  {
    small: 'Small',
    big: 'Big',
    odd: 'Odd',
    even: 'Even',
    low: 'Low',
    high: 'High',
    red: 'Red',
    black: 'Black',
    green: 'Green',
    'any-triple': 'Any Triple',
    'top-line': 'Top Line',
    single: 'Single {numbers}',
    total: 'Total {numbers}',
    domino: 'Domino {numbers}',
    double: 'Double {numbers}',
    triple: 'Triple {numbers}',
    four: 'Four Numbers {numbers}',
    three: 'Three Dice {numbers}',
    pair: 'Double and Single {numbers}',
    straight: 'Straight Up {numbers}',
    split: 'Split {numbers}',
    street: 'Street {numbers}',
    corner: 'Corner {numbers}',
    'six-line': 'Six Line {numbers}',
    column: 'Column {numbers}',
    dozen: 'Dozen {numbers}',
  },
  {
    small: '小',
    big: '大',
    odd: '单',
    even: '双',
    low: '小',
    high: '大',
    red: '红',
    black: '黑',
    green: '绿',
    'any-triple': '任意围骰',
    'top-line': '顶线',
    single: '单骰 {numbers}',
    total: '总和 {numbers}',
    domino: '牌九式 {numbers}',
    double: '双骰 {numbers}',
    triple: '围骰 {numbers}',
    four: '四个号码 {numbers}',
    three: '三骰组合 {numbers}',
    pair: '双骰加单骰 {numbers}',
    straight: '直注 {numbers}',
    split: '分注 {numbers}',
    street: '街注 {numbers}',
    corner: '角注 {numbers}',
    'six-line': '线注 {numbers}',
    column: '列注 {numbers}',
    dozen: '打注 {numbers}',
  },
);

type Known = Parameters<typeof t>[0];
const known = new Set<string>(
  'small big odd even low high red black green any-triple top-line single total domino double triple four three pair straight split street corner six-line column dozen'.split(
    ' ',
  ),
);

/** `total:9` → "Total 9" or "总和 9". */
export function boxName(box: string): string {
  const [word, numbers] = box.split(':', 2) as [string, string | undefined];
  return known.has(word) ? t(word as Known, { numbers: (numbers ?? '').replaceAll('-', ' · ') }) : box;
}

/** The kind of a box, as limits name it: `triple` → "Triple" or "围骰". */
export function kindName(word: string): string {
  return word.includes(':') || !known.has(word)
    ? boxName(word)
    : t(word as Known, { numbers: '' })
        .replace(/\s{2,}/, ' ')
        .trim();
}
