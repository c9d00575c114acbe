/* Addresses as the wire has them (`/addresses`, `/countries`, and the `address` of a checkout). */

/** Whether a country's addresses have a field. */
export type Needed = 'required' | 'optional' | 'none';

/** The parts of an address, in no order: each country has its own. */
export const addressParts = [
  'company',
  'line1',
  'line2',
  'city',
  'region',
  'postcode',
  'country',
] as const;
export type AddressPart = (typeof addressParts)[number];

/** A country to which the shop sends, and how its addresses are written. */
export interface Country {
  /** ISO 3166, two characters. */
  code: string;
  name: string;
  postcode: Needed;
  region: Needed;
  /** What it calls its regions, as State; and its postcodes, as ZIP code. */
  regionName: string | null;
  postcodeName: string | null;
  /** The parts in the order of an envelope. */
  order: string[];
  /** Where it is known which regions there are. */
  regions?: { code: string; name: string }[] | null;
}

/** An address as it is sent; what is not there is left out. */
export interface Address {
  company?: string | null;
  line1: string;
  line2?: string | null;
  city: string;
  region?: string | null;
  postcode?: string | null;
  country: string;
}

/** An address to be kept in one's book, and for whom it is. */
export interface NewBookAddress extends Address {
  name: string;
  phone?: string | null;
  isDefault?: boolean;
}

export interface BookAddress extends NewBookAddress {
  _id: string;
  isDefault: boolean;
}
