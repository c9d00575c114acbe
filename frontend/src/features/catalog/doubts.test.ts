import { expect, it } from 'vitest';
import { doubtAddress, doubtPhone } from './doubts';

it.each([
  ['5', true],
  ['12-34 5', true],
  ['call me', true],
  ['555 0100', false],
  ['+1 (313) 555-0100', false],
  ['', false],
])('doubts the phone %j: %s', (phone, doubted) => expect(doubtPhone(phone)).toBe(doubted));

it.each([
  ['5', true],
  ['1 Elm St', true],
  ['Workshop Lane, Detroit', true],
  ['1 Workshop Lane', false],
  ['  ', false],
])('doubts the address %j: %s', (address, doubted) => expect(doubtAddress(address)).toBe(doubted));
