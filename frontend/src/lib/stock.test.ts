import { expect, it } from 'vitest';
import { stockLevel } from './stock';

it.each([
  [49, 50, 'short'],
  [50, 50, 'low'],
  [119, 50, 'low'],
  [120, 50, 'in'],
  [0, 100, 'short'],
] as const)('calls %i left of a minimum of %i %s', (availableQty, minOrder, level) => {
  expect(stockLevel({ availableQty, minOrder, lowStockBelow: 120 })).toBe(level);
});
