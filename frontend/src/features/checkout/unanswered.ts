import { readStored, removeStored, store } from '@/lib/tab-storage';
import type { CheckoutRequest } from './wire';

/**
 * A checkout that was sent and not answered. Nobody knows whether it was placed; sent again under the same key and unchanged, it
 * is placed once at most. So it outlives a reload together with its key.
 */
export interface Unanswered {
  /** The e-mail of who sent it. */
  owner: string;
  key: string;
  /** When it was sent first, in milliseconds since 1970. */
  since: number;
  body: CheckoutRequest;
}

/** A little less than the day for which the shop remembers a key, in milliseconds. */
const MEMORY = 23 * 60 * 60_000;
const NAME = 'unanswered:checkout';

function isUnanswered(value: unknown): value is Unanswered {
  if (typeof value !== 'object' || value === null) return false;
  const { owner, key, since, body } = value as Record<string, unknown>;
  return (
    typeof owner === 'string' &&
    typeof key === 'string' &&
    typeof since === 'number' &&
    typeof body === 'object' &&
    body !== null
  );
}

export function readUnanswered(owner: string): Unanswered | null {
  const kept = readStored(NAME);
  if (!isUnanswered(kept)) return null;
  if (kept.owner === owner && Date.now() - kept.since < MEMORY) return kept;
  dropUnanswered();
  return null;
}

/** Call it before the checkout leaves: whatever happens then, the key is still there. */
export const keepUnanswered = (sent: Unanswered): void => store(NAME, sent);
export const dropUnanswered = (): void => removeStored(NAME);
