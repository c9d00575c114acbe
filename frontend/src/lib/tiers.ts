import { toCents, toDollars, totalOf } from './money';

/** From how many units on a unit costs so much, in dollars. */
export interface Tier {
  from: number;
  price: number;
}

/** What has a list price, and perhaps one by quantity. */
export interface Priced {
  price: number;
  tiers?: readonly Tier[];
}

/** The tier of a ladder that applies to so many units: of those that are reached, the last. */
export function tierAt(tiers: readonly Tier[], quantity: number): Tier | undefined {
  return tiers
    .filter(({ from }) => from <= quantity)
    .reduce<Tier | undefined>(
      (last, tier) => (last && last.from > tier.from ? last : tier),
      undefined,
    );
}

/** What one unit costs where so many are ordered, in dollars. */
export function unitPriceAt({ price, tiers = [] }: Priced, quantity: number): number {
  return tierAt(tiers, quantity)?.price ?? price;
}

/** What so many units cost, in dollars. */
export function totalAt(priced: Priced, quantity: number): number {
  return totalOf(unitPriceAt(priced, quantity), quantity);
}

/** The ladder in its order, without the steps that change nothing. */
export function ladderOf({ tiers = [] }: Priced): Tier[] {
  const sorted = tiers.toSorted((a, b) => a.from - b.from);
  return sorted.filter(({ price }, place) => price !== sorted[place - 1]?.price);
}

/** The least that a unit can cost, and whether that depends on how many are ordered. */
export function lowestPrice(priced: Priced): { price: number; varies: boolean } {
  const ladder = ladderOf(priced);
  if (ladder.length < 2) return { price: ladder[0]?.price ?? priced.price, varies: false };
  return { price: Math.min(...ladder.map(({ price }) => price)), varies: true };
}

/** More units that cost less in all. */
export interface Saving {
  /** How many more to order, and how many that makes. */
  more: number;
  quantity: number;
  /** How much less all of them cost, in dollars. */
  less: number;
}

/**
 * Whether more units would cost less in all, and of the ways to that the one that costs the least; null where there is none.
 * `available` is how many can be ordered at most.
 */
export function savingAt(priced: Priced, quantity: number, available: number): Saving | null {
  const now = toCents(totalAt(priced, quantity));
  const ways = (priced.tiers ?? [])
    .filter(({ from }) => from > quantity && from <= available)
    .map(({ from }) => ({ from, cents: toCents(totalAt(priced, from)) }))
    .filter(({ cents }) => cents < now)
    .toSorted((a, b) => a.cents - b.cents || a.from - b.from);
  const [best] = ways;
  if (!best) return null;
  return { more: best.from - quantity, quantity: best.from, less: toDollars(now - best.cents) };
}
