import { expect, test } from 'vitest';
import { alertName, alertSentence } from './words';

test('the sentence of an alert comes from its facts, with the refusal it comes from', () => {
  expect(alertSentence({ kind: 'device-fault', case: 'told', facts: { device: 'tumbler', fault: 'no-shake' } })).toBe(
    'tumbler was asked to tumble and did not move',
  );
  const because = { reason: 'asker', case: 'retired', facts: { person: 'Max', request: 3 } };
  expect(alertSentence({ kind: 'two-people', case: 'refused', facts: { by: 'Sam' }, because })).toBe(
    'Sam was refused an act that needs two people: the account of Max was retired, so request 3 can no longer be approved',
  );
});

test('an alert of before has a sentence of its own, and a kind of another version its name', () => {
  expect(alertSentence({ kind: 'clock', what: 'the clock is odd' })).toBeNull();
  expect([alertName('clock'), alertName('of-another-version')]).toEqual([
    'The clock of this machine is wrong',
    'of-another-version',
  ]);
});
