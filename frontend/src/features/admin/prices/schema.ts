import { array, object, string } from 'yup';
import { messages as shared } from '../shared/messages';
import { day, decimal, lastDay, money, whole, words } from '../shared/rules';
import { messages } from './messages';

const { rules } = shared;
const MOST_UNITS = 1_000_000_000;
/** As many steps as a ladder has. */
export const MOST_TIERS = 20;

/** A row as it is typed. */
export interface TierRow {
  from: string;
  price: string;
}

const row = object({
  from: whole(messages.tiers.from, 1, MOST_UNITS).required(rules.required(messages.tiers.from)),
  price: money(messages.tiers.price).required(rules.required(messages.tiers.price)),
});

/** The rows of a product's ladder: each begins above the one before, the first above the minimum order. */
export const tiersSchema = (minOrder: number) =>
  object({
    tiers: array()
      .of(row)
      .max(MOST_TIERS, messages.tiers.tooMany(MOST_TIERS))
      .test('ascending', (rows, context) => {
        let least = minOrder;
        for (const [place, { from }] of (rows ?? []).entries()) {
          if (from !== undefined && from <= least) {
            return context.createError({
              path: `tiers.${place}.from`,
              message: messages.tiers.abovePrevious(least),
            });
          }
          least = from ?? least;
        }
        return true;
      }),
  });

const { fields } = messages;

export const listSchema = object({
  name: words(80).required(rules.required(fields.name)),
  percent: decimal(fields.percent, 0.01, 99.99, 2),
  priority: whole(fields.priority, 0, 1_000).required(rules.required(fields.priority)),
  validFrom: day(fields.validFrom),
  validUntil: lastDay(fields.validUntil, 'validFrom'),
});

/** A price of a list as it is typed. */
export interface PriceRow extends TierRow {
  productId: string;
  name: string;
  partNumber: string;
}

/** The prices of a list: of one part no two from the same number of units on. */
export const pricesSchema = object({
  items: array()
    .of(row.shape({ productId: string().required() }))
    .test('unique', (rows, context) => {
      const seen = new Set<string>();
      for (const [place, { productId, from }] of (rows ?? []).entries()) {
        const key = `${productId} ${from}`;
        if (seen.has(key)) {
          return context.createError({ path: `items.${place}.from`, message: messages.list.twice });
        }
        seen.add(key);
      }
      return true;
    }),
});
