/** Dollars as the wire has them (at most two decimals) to whole cents. */
export function toCents(dollars: number): number {
  return Math.round(dollars * 100);
}

/** Whole cents to dollars as the wire has them. */
export function toDollars(cents: number): number {
  return cents / 100;
}

/** What `quantity` units at `unitPrice` dollars cost, in dollars, computed in cents so that nothing drifts. */
export function totalOf(unitPrice: number, quantity: number): number {
  return toDollars(toCents(unitPrice) * quantity);
}

const whole = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
});
const exact = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });

/** An amount wherever sums are read and compared: `129` is `$129.00`. */
export function formatMoney(dollars: number): string {
  return exact.format(dollars);
}

/** An amount in large type, which would only shout its zeros: `129` is `$129`, `129.5` is `$129.50`. */
export function formatBigMoney(dollars: number): string {
  return toCents(dollars) % 100 === 0 ? whole.format(dollars) : exact.format(dollars);
}

/** An amount as a number input holds it, with its cents: `12.5` is `12.50`. */
export function moneyInput(dollars: number): string {
  return dollars.toFixed(2);
}

const count = new Intl.NumberFormat('en-US');

/** `4200` is `4,200`. */
export function formatCount(value: number): string {
  return count.format(value);
}

/** The most that a card can be charged with. An order above it is sent on account. */
export const CARD_MAX = 999_999.99;
