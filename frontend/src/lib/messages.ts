import { formatCount } from './money';

/** Says what a quantity was changed to, and why. */
export function quantityAdjusted(quantity: number, why: 'minimum' | 'stock' | null): string {
  const reason = { minimum: ' (minimum order)', stock: ' (all we have)' };
  return `Quantity adjusted to ${formatCount(quantity)}${why ? reason[why] : ''}.`;
}
