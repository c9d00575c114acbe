import { describe, expect, it } from 'vitest';
import { LARGEST, moved, swiped, WHOLE, zoomed } from './zoom';

const size = { width: 800, height: 600 };

describe('a picture that is enlarged', () => {
  it('grows about the point that is pointed at', () => {
    const view = zoomed(WHOLE, 2, { x: 100, y: -50 }, size);
    expect(view).toEqual({ scale: 2, x: -100, y: 50 });
    // What lay there lies there still, and again once more.
    const again = zoomed(view, 1.5, { x: 100, y: -50 }, size);
    expect((100 - again.x) / again.scale).toBeCloseTo(100);
    expect((-50 - again.y) / again.scale).toBeCloseTo(-50);
  });

  it('is never smaller than its window, nor larger than its pixels are good for', () => {
    expect(zoomed(WHOLE, 0.5, { x: 10, y: 10 }, size)).toEqual(WHOLE);
    expect(zoomed(WHOLE, 100, { x: 0, y: 0 }, size).scale).toBe(LARGEST);
    const aside = zoomed(WHOLE, 2, { x: 400, y: 300 }, size);
    expect(zoomed(aside, 0.1, { x: -400, y: -300 }, size)).toEqual(WHOLE);
  });

  it('is moved as far as its sides, and not at all while it fits', () => {
    expect(moved(WHOLE, { x: 50, y: 50 }, size)).toEqual(WHOLE);
    const large = { scale: 2, x: 0, y: 0 };
    expect(moved(large, { x: 50, y: -20 }, size)).toEqual({ scale: 2, x: 50, y: -20 });
    expect(moved(large, { x: 5_000, y: -5_000 }, size)).toEqual({ scale: 2, x: 400, y: -300 });
  });
});

it('a swipe goes across and not down', () => {
  const from = { x: 200, y: 200 };
  expect(swiped(from, { x: 120, y: 210 })).toBe(1);
  expect(swiped(from, { x: 280, y: 190 })).toBe(-1);
  expect(swiped(from, { x: 180, y: 200 })).toBe(0);
  expect(swiped(from, { x: 140, y: 280 })).toBe(0);
});
