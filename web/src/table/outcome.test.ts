import { expect, test } from 'vitest';
import { colourOf, facesOf, totalOf } from './outcome';

test('dice have faces and a total, a wheel one number and its colour', () => {
  expect(totalOf(facesOf('3-5-6'))).toBe(14);
  expect(facesOf('17')).toEqual(['17']);
  const colours = { red: ['1', '3'], black: ['2', '17'] };
  expect([colourOf('17', colours), colourOf('0', colours), colourOf('17', {})]).toEqual(['black', '', '']);
});
