import { readStored, removeStored, store } from '@/lib/tab-storage';

/** What somebody has typed into Billing Details and not ordered yet. */
export interface Draft {
  /** The e-mail of who typed it: nobody else gets to see it. */
  owner: string;
  /** Whether the form was open when it was last saved. */
  open: boolean;
  /** Typed here, `interrupted` when the session ended just as it was sent, or filled in `again` from an earlier order. */
  origin: 'typed' | 'interrupted' | 'again';
  name: string;
  phone: string;
  address: string;
  quantity: string;
}

const nameOf = (productId: string) => `billing:${productId}`;

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const draft = value as Record<string, unknown>;
  return (
    ['owner', 'origin', 'name', 'phone', 'address', 'quantity'].every(
      (field) => typeof draft[field] === 'string',
    ) && typeof draft.open === 'boolean'
  );
}

/** The draft of this account for this product. Another account's is thrown away. */
export function readDraft(productId: string, owner: string): Draft | null {
  const kept = readStored(nameOf(productId));
  if (!isDraft(kept)) return null;
  if (kept.owner === owner) return kept;
  dropDraft(productId);
  return null;
}

/** Keeps the draft for as long as the tab lives, past a sign-in and a reload. */
export function keepDraft(productId: string, draft: Draft): void {
  store(nameOf(productId), draft);
}

export function dropDraft(productId: string): void {
  removeStored(nameOf(productId));
}
