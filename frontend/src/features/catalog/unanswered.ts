import type { NewOrder } from '@/api/types';
import { readStored, removeStored, store } from '@/lib/tab-storage';

export type ProductOrder = NewOrder & {
  productId: string;
  price: number;
  /** These two belong to an order as it is sent; the shop takes them from itself. */
  details: string;
  status: 'Pending';
};

/**
 * An order that was sent and not answered. Nobody knows whether it was placed; sent again under the same key and unchanged,
 * it is placed once at most. So it outlives a reload together with its key.
 */
export interface Unanswered {
  /** The e-mail of who sent it. */
  owner: string;
  key: string;
  /** When it was sent first, in milliseconds since 1970. */
  since: number;
  order: ProductOrder;
}

/** A little less than the day for which the shop remembers a key, in milliseconds. */
const MEMORY = 23 * 60 * 60_000;

const nameOf = (productId: string) => `unanswered:${productId}`;

function isUnanswered(value: unknown): value is Unanswered {
  if (typeof value !== 'object' || value === null) return false;
  const { owner, key, since, order } = value as Record<string, unknown>;
  return (
    typeof owner === 'string' &&
    typeof key === 'string' &&
    typeof since === 'number' &&
    typeof order === 'object' &&
    order !== null
  );
}

/** What this account sent for this product without an answer. Another account's, and what is too old, is thrown away. */
export function readUnanswered(productId: string, owner: string): Unanswered | null {
  const kept = readStored(nameOf(productId));
  if (!isUnanswered(kept)) return null;
  if (kept.owner === owner && Date.now() - kept.since < MEMORY) return kept;
  dropUnanswered(productId);
  return null;
}

/** Call it before the order leaves: whatever happens then, the key is still there. */
export function keepUnanswered(unanswered: Unanswered): void {
  store(nameOf(unanswered.order.productId), unanswered);
}

export function dropUnanswered(productId: string): void {
  removeStored(nameOf(productId));
}
