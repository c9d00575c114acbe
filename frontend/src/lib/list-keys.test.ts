import { describe, expect, it } from 'vitest';
import { placeAfter } from './list-keys';

describe('placeAfter', () => {
  it.each([
    ['ArrowDown', -1, 0],
    ['ArrowDown', 1, 2],
    ['ArrowDown', 2, -1],
    ['ArrowUp', -1, 2],
    ['ArrowUp', 0, -1],
    ['Home', 2, 0],
    ['End', 0, 2],
    ['Home', -1, null],
    ['End', -1, null],
    ['a', 0, null],
  ])('%s from %i of three leads to %j', (key, place, next) => {
    expect(placeAfter(key, place, 3)).toBe(next);
  });

  it('leads nowhere in an empty list', () => {
    expect(placeAfter('ArrowDown', -1, 0)).toBeNull();
  });
});
