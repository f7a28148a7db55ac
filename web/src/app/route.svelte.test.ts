/** What is looked at stands in the address, and the way back is the browser's. */
import { flushSync } from 'svelte';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Route, inAddress, dropFromAddress } from './route.svelte';

let here: Route<{ table: string; tab: string }>;
let end: () => void;

function open(hash: string): void {
  location.hash = hash;
  end = $effect.root(() => {
    here = new Route({ table: '', tab: 'rounds' });
  });
  flushSync();
}
beforeEach(() => history.pushState(null, '', '/page'));
afterEach(() => end());

test('an address is read, and what it does not say is as it is at first', () => {
  open('#table=T%201');
  expect(here.at).toEqual({ table: 'T 1', tab: 'rounds' });
});

test('where one went is in the address, and one comes back', () => {
  open('');
  here.go({ table: 'T1', tab: 'journal' });
  expect(location.hash).toBe('#table=T1&tab=journal');
  here.go({ tab: 'rounds' });
  expect([location.hash, here.at.tab]).toEqual(['#table=T1', 'rounds']);
  history.back();
  expect(here.at).toEqual({ table: 'T1', tab: 'journal' });
});

test('what is only sought otherwise is no step', () => {
  open('');
  here.go({ table: 'T1' });
  here.go({ tab: 'journal' }, 'replace');
  history.back();
  expect(here.at).toEqual({ table: '', tab: 'rounds' });
});

test('what others say in the address stays, until they take it out', () => {
  open('#token=secret&language=qps');
  expect(here.link({ table: 'T1' })).toBe('/page#token=secret&language=qps&table=T1');
  dropFromAddress('token');
  here.go({ table: 'T1' });
  expect(location.hash).toBe('#language=qps&table=T1');
  expect([inAddress('language'), inAddress('token')]).toEqual(['qps', '']);
});
