import { expect, it } from 'vitest';
import { looksLikeNumber } from './parts';

it.each([
  ['DL-100O', true],
  ['1K0 615 301 AA', true],
  ['brake disc', false],
  ['7-', false],
  ['', false],
  [`7${'A'.repeat(39)}`, true],
  // The server refuses what is longer than any number.
  [`7${'A'.repeat(48)}`, false],
])('takes %j for a number: %s', (text, isNumber) => {
  expect(looksLikeNumber(text)).toBe(isNumber);
});
