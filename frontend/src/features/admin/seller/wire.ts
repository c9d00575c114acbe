/** Who sells, as documents print it (`/seller`). */
export interface Seller {
  name: string;
  line1: string;
  line2?: string | null;
  city: string;
  region?: string | null;
  postcode?: string | null;
  country: string;
  taxId?: string | null;
  email: string;
  phone?: string | null;
  /** What is printed below every invoice, as when it is due. */
  terms?: string | null;
}
