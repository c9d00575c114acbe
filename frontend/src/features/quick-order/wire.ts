import type { LineStatus, Replacement } from '@/features/basket/wire';

/** A part that a line may mean. */
export interface Choice {
  productId: string;
  partNumber: string | null;
  name: string;
  brand?: string | null;
  img?: string;
  /** Dollars for one unit. */
  price?: number | null;
  available?: number;
  minOrder?: number;
}

/** What the shop says of one line of a list. */
export interface CheckedRow {
  /** Its place in the text, from 1. */
  line: number;
  text: string;
  status: Exclude<LineStatus, 'moved'>;
  message: string | null;
  productId?: string | null;
  partNumber?: string | null;
  name?: string | null;
  img?: string | null;
  quantity: number | null;
  available?: number | null;
  minOrder?: number | null;
  /** Dollars for one unit. */
  price?: number | null;
  /** Dollars for all of its units. */
  total?: number | null;
  choices?: Choice[] | null;
  replacedBy?: Replacement | string | null;
}

export interface Checked {
  rows: CheckedRow[];
}
