/* Shipping methods as the wire has them (`/shipping-methods`): grams, dollars. */

export interface Band {
  upToGrams: number;
  price: number;
}

export interface NewShippingMethod {
  name: string;
  /** Where it is offered (ISO 3166); null everywhere. */
  countries: string[] | null;
  /** Cubic centimeters that count as a kilogram; 5,000 where nobody says. */
  divisor?: number | null;
  /** From how many dollars of goods on it costs nothing. */
  freeOver?: number | null;
  bands: Band[];
  /** What each kilogram beyond the last band costs. */
  perExtraKg?: number | null;
  /** From this weight on it goes by the pallet: at this price each, or, without one, at a figure that an admin gives. */
  palletFromGrams?: number | null;
  perPallet?: number | null;
}

export interface ShippingMethod extends NewShippingMethod {
  _id: string;
}

export interface UnweighedProduct {
  _id: string;
  name: string;
  partNumber?: string | null;
}
