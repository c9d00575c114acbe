import { describe, expect, it } from 'vitest';
import { change, compare } from './periods';

const day = (revenue: number, orders: number) => ({
  day: '2026-11-21',
  orders,
  revenue,
  paid: revenue,
  returned: 0,
});

describe('two periods', () => {
  it('are the halves of the days, each with its sums to the cent', () => {
    const { now, before } = compare([day(0.1, 1), day(0.2, 1), day(10.1, 0), day(0, 0)]);
    expect(before).toMatchObject({ revenue: 0.3, orders: 2, average: 0.15 });
    expect(now).toMatchObject({ revenue: 10.1, orders: 0, average: null });
    expect(now.days).toHaveLength(2);
  });

  it.each([
    [150, 100, 50],
    [50, 100, -50],
    [100, 100, 0],
    [0, 100, -100],
    // Nothing, or more money back than in, is no measure.
    [100, 0, null],
    [100, -5, null],
    [null, 100, null],
  ])('from %s after %s changed by %s percent', (now, before, percent) =>
    expect(change(now, before)).toBe(percent),
  );
});
