import { expect, test } from 'vitest';
import { momentIn } from './zone';

const utc = (zone: string, shown: string) => new Date(momentIn(zone, shown)).toISOString();

test('a time is read as the clocks of the House show it', () => {
  expect(utc('UTC', '2026-11-17T20:30')).toBe('2026-11-17T20:30:00.000Z');
  expect(utc('Asia/Singapore', '2026-11-17T20:30')).toBe('2026-11-17T12:30:00.000Z');
  expect(utc('Asia/Singapore', '2027-01-01T07:59')).toBe('2026-12-31T23:59:00.000Z');
});

test('on both sides of a change of the clocks', () => {
  expect(utc('Pacific/Auckland', '2026-09-27T01:59')).toBe('2026-09-26T13:59:00.000Z');
  expect(utc('Pacific/Auckland', '2026-09-27T03:00')).toBe('2026-09-26T14:00:00.000Z');
  expect(utc('America/New_York', '2026-11-01T12:00')).toBe('2026-11-01T17:00:00.000Z');
});

test('what is no time is none', () => {
  expect(momentIn('Asia/Singapore', '')).toBeNaN();
});
