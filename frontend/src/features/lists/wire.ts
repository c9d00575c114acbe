/* Saved lists as the wire has them (`/lists`). */

export interface ListedList {
  _id: string;
  name: string;
  /** How many lines it has. */
  lines: number;
  changedAt: string;
}

export interface ListLine {
  productId: string;
  quantity: number;
  name: string;
  partNumber: string | null;
}

export interface SavedList {
  _id: string;
  name: string;
  lines: ListLine[];
}

/** A list as it is sent. */
export interface SentList {
  name: string;
  lines: Pick<ListLine, 'productId' | 'quantity'>[];
}
