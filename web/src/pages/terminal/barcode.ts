/** The bars of a number, Interleaved 2 of 5, as tickets carry them: pairs of digits, one in bars and one in gaps. */

const NARROW = 1;
const WIDE = 2.5;
const DIGITS = ['00110', '10001', '01001', '11000', '00101', '10100', '01100', '00011', '10010', '01010'];

export interface Bar {
  x: number;
  width: number;
}

export function bars(digits: string): { bars: Bar[]; width: number } {
  const found: Bar[] = [];
  let x = 0;
  const draw = (black: boolean, wide: boolean) => {
    const width = wide ? WIDE : NARROW;
    if (black) found.push({ x, width });
    x += width;
  };
  for (const black of [true, false, true, false]) draw(black, false);
  for (let at = 0; at < digits.length; at += 2) {
    const [bar, gap] = [DIGITS[Number(digits[at])]!, DIGITS[Number(digits[at + 1])]!];
    for (let part = 0; part < 5; part += 1) {
      draw(true, bar[part] === '1');
      draw(false, gap[part] === '1');
    }
  }
  draw(true, true);
  draw(false, false);
  draw(true, false);
  return { bars: found, width: x };
}

/** Digits in groups, as people read them: 12-3456-7890-1234-5611. */
export function grouped(digits: string): string {
  return digits.replace(/(\d{2})(\d{4})(\d{4})(\d{4})(\d{4})/, '$1-$2-$3-$4-$5');
}
