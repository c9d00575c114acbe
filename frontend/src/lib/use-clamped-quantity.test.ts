import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CLAMP_DELAY, clampQuantity, useClampedQuantity } from './use-clamped-quantity';

describe('clampQuantity', () => {
  it.each([
    ['10', 50],
    ['50', 50],
    ['75', 75],
    ['4200', 4200],
    ['4201', 4200],
    ['', 50],
    ['abc', 50],
    ['60.9', 60],
    ['-1', 50],
    ['1e99', 4200],
  ])('reads %j as %i within 50 and 4200', (text, expected) => {
    expect(clampQuantity(text, 50, 4200)).toBe(expected);
  });

  it('never answers less than the minimum, even when the stock is less', () => {
    expect(clampQuantity('60', 50, 20)).toBe(50);
  });
});

describe('useClampedQuantity', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('leaves a half-typed number alone until 1.5 s after the last key, then says what it did', () => {
    const { result } = renderHook(() => useClampedQuantity(50, 4200));
    act(() => result.current.change('7'));
    act(() => void vi.advanceTimersByTime(CLAMP_DELAY - 1));
    expect(result.current.text).toBe('7');
    expect(result.current.quantity).toBe(50);

    act(() => result.current.change('70000'));
    act(() => void vi.advanceTimersByTime(CLAMP_DELAY - 1));
    expect(result.current.text).toBe('70000');
    act(() => void vi.advanceTimersByTime(1));
    expect(result.current.text).toBe('4200');
    expect(result.current.announcement).toBe('Quantity adjusted to 4,200 (all we have).');
  });

  it('settles at once for a submit and answers the quantity', () => {
    const { result } = renderHook(() => useClampedQuantity(50, 4200));
    act(() => result.current.change('3'));
    let settled = 0;
    act(() => {
      settled = result.current.settle();
    });
    expect(settled).toBe(50);
    expect(result.current.text).toBe('50');
    expect(result.current.announcement).toBe('Quantity adjusted to 50 (minimum order).');
  });

  it('gives no reason for a fraction that it drops', () => {
    const { result } = renderHook(() => useClampedQuantity(50, 4200));
    act(() => result.current.change('60.9'));
    act(() => void result.current.settle());
    expect(result.current.announcement).toBe('Quantity adjusted to 60.');
  });

  it('says nothing about a quantity that was fine', () => {
    const { result } = renderHook(() => useClampedQuantity(50, 4200));
    act(() => result.current.change('60'));
    act(() => void vi.advanceTimersByTime(CLAMP_DELAY));
    expect(result.current.text).toBe('60');
    expect(result.current.announcement).toBe('');
  });

  it('begins with an earlier quantity, moved into what is there now, and says so', () => {
    expect(renderHook(() => useClampedQuantity(50, 300, '60')).result.current).toMatchObject({
      text: '60',
      announcement: '',
    });
    expect(renderHook(() => useClampedQuantity(50, 300, '500')).result.current).toMatchObject({
      text: '300',
      quantity: 300,
      announcement: 'Quantity adjusted to 300 (all we have).',
    });
  });
});
