/* Prices as the wire has them (`POST /prices`). */
import type { Tier } from '@/lib/tiers';

export interface WantedPrice {
  productId: string;
  quantity: number;
}

/** What a part costs whoever asks. */
export interface FoundPrice extends WantedPrice {
  /** Dollars for one unit at this quantity, and what the list says. */
  unit: number;
  list: number;
  total: number;
  tiers: Tier[];
}

export interface FoundPrices {
  /** In the order of what was asked; null for what is not sold. */
  items: (FoundPrice | null)[];
}
