import type { Quote } from '@/features/basket/wire';
import type { BasketItem } from '@/lib/basket';
import { toCents, toDollars, totalOf } from '@/lib/money';
import { messages } from './messages';
import type { CheckedRow, Choice } from './wire';

/** A checked line as it is edited. */
export interface Row extends CheckedRow {
  /** Names it for as long as the list lasts. */
  key: number;
  quantity: number;
  /** Its price is being asked for. */
  pending?: boolean;
}

export type RowGroup = 'order' | 'attention' | 'unknown';

/** Which of the three counts a line belongs to. */
export function groupOf({ status, productId, quantity }: Row): RowGroup {
  if (status === 'unknown') return 'unknown';
  if (status === 'choose' || status === 'short' || !productId || quantity < 1) return 'attention';
  return 'order';
}

let keys = Date.now();

export function rowsOf(checked: readonly CheckedRow[]): Row[] {
  return checked.map((row) => {
    keys += 1;
    return { ...row, quantity: row.quantity ?? 0, key: keys };
  });
}

export interface Summary {
  counts: Record<RowGroup, number>;
  /** Dollars. */
  goods: number;
}

export function summaryOf(rows: readonly Row[]): Summary {
  const counts = { order: 0, attention: 0, unknown: 0 };
  let cents = 0;
  for (const row of rows) {
    const group = groupOf(row);
    counts[group] += 1;
    if (group === 'order') cents += toCents(row.total ?? 0);
  }
  return { counts, goods: toDollars(cents) };
}

/** How many of it can be ordered at most, as far as it is known. */
export const mostOf = ({ available }: Pick<Row, 'available'>) =>
  available ?? Number.MAX_SAFE_INTEGER;
export const leastOf = ({ minOrder }: Pick<Row, 'minOrder'>) => minOrder ?? 1;

/** A line with another quantity, which is in its range: the price follows. */
export function withQuantity(row: Row, quantity: number): Row {
  const total = typeof row.price === 'number' ? totalOf(row.price, quantity) : (row.total ?? null);
  return { ...row, quantity, total, status: 'ok', message: null, pending: true };
}

/** A line that means this part: as many of it as can be ordered. */
export function withChoice(row: Row, choice: Choice): Row {
  const { productId, partNumber, name, img, price, available, minOrder } = choice;
  const chosen: Row = {
    ...row,
    productId,
    partNumber,
    name,
    img: img ?? row.img ?? null,
    price: price ?? null,
    available: available ?? row.available ?? null,
    minOrder: minOrder ?? row.minOrder ?? null,
    choices: null,
    status: 'ok',
    message: null,
    pending: true,
  };
  return inRange({
    ...chosen,
    total: typeof price === 'number' ? totalOf(price, row.quantity) : null,
  });
}

/** A line whose quantity is between the minimum and the stock; it says what was changed, and why. */
export function inRange(row: Row): Row {
  const least = leastOf(row);
  const most = mostOf(row);
  if (most < least) return { ...row, status: 'short', message: messages.lowered(most) };
  const quantity = Math.min(Math.max(row.quantity, least), most);
  if (quantity === row.quantity) return row;
  const message = quantity > row.quantity ? messages.raised(least) : messages.lowered(most);
  return { ...withQuantity(row, quantity), status: 'adjusted', message };
}

/** A line at the price that the shop says. */
export function withQuote(row: Row, quote: Quote | null): Row {
  if (!quote) return { ...row, pending: false };
  // It was changed once more meanwhile, and is asked for again.
  if (quote.productId !== row.productId || quote.quantity !== row.quantity) return row;
  return {
    ...row,
    price: quote.unit,
    total: quote.total,
    minOrder: row.minOrder ?? quote.tiers[0]?.from ?? null,
    pending: false,
  };
}

/** What of the lines goes into the basket. */
export function itemsOf(rows: readonly Row[]): BasketItem[] {
  return rows.flatMap((row) => {
    if (groupOf(row) !== 'order' || !row.productId) return [];
    return [
      {
        productId: row.productId,
        quantity: row.quantity,
        unit: row.price ?? 0,
        name: row.name ?? row.partNumber ?? row.text,
        partNumber: row.partNumber ?? null,
        img: row.img ?? '',
        minOrder: leastOf(row),
        available: row.available ?? row.quantity,
      },
    ];
  });
}
