/** What somebody has typed into Billing Details and not ordered yet. */
export interface Draft {
  /** The e-mail of who typed it: nobody else gets to see it. */
  owner: string;
  /** Whether the form was in front of the person when it was last heard of. */
  open: boolean;
  /** Whether the session ended just when it was sent. */
  interrupted: boolean;
  name: string;
  phone: string;
  address: string;
  quantity: string;
}

const keyOf = (productId: string) => `billing:${productId}`;

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false;
  const draft = value as Record<string, unknown>;
  return (
    ['owner', 'name', 'phone', 'address', 'quantity'].every(
      (field) => typeof draft[field] === 'string',
    ) &&
    typeof draft.open === 'boolean' &&
    typeof draft.interrupted === 'boolean'
  );
}

/** The draft of this person for this product. Another person's is thrown away. */
export function readDraft(productId: string, owner: string): Draft | null {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf(productId)) ?? 'null');
    if (!isDraft(stored)) return null;
    if (stored.owner === owner) return stored;
    dropDraft(productId);
  } catch {
    // Without storage nothing was kept.
  }
  return null;
}

/** Keeps the draft for as long as the tab lives, past a sign-in and a reload. */
export function keepDraft(productId: string, draft: Draft): void {
  try {
    sessionStorage.setItem(keyOf(productId), JSON.stringify(draft));
  } catch {
    // The form then only lives as long as the page.
  }
}

export function dropDraft(productId: string): void {
  try {
    sessionStorage.removeItem(keyOf(productId));
  } catch {
    // Nothing was kept.
  }
}
