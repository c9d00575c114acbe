import { describe, expect, it } from 'vitest';
import { formatBigMoney, formatCount, formatMoney, moneyInput, toCents, totalOf } from './money';

describe('money', () => {
  it('computes in cents, where plain multiplication would drift', () => {
    expect(19.99 * 300).not.toBe(5997);
    expect(totalOf(19.99, 300)).toBe(5997);
    expect(totalOf(0.07, 100)).toBe(7);
    expect(totalOf(129, 50)).toBe(6450);
  });

  it('reads dollars that a float cannot hold as the cents they mean', () => {
    expect(toCents(1.1 + 2.2)).toBe(330);
    expect(toCents(64.35)).toBe(6435);
  });

  it('shows a dollar sign and cents, so that sums line up', () => {
    expect(formatMoney(129)).toBe('$129.00');
    expect(formatMoney(129.5)).toBe('$129.50');
    expect(formatMoney(6450.05)).toBe('$6,450.05');
    expect(moneyInput(12.5)).toBe('12.50');
  });

  it('shows cents of large figures only where there are some', () => {
    expect(formatBigMoney(129)).toBe('$129');
    expect(formatBigMoney(129.5)).toBe('$129.50');
  });

  it('groups counts', () => {
    expect(formatCount(4200)).toBe('4,200');
  });
});
