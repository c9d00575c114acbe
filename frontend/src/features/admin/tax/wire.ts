/* Tax as the wire has it (`/tax-rates`, `/exemptions`). Days are `2026-11-26`. */

export interface NewTaxRate {
  country: string;
  /** Its rates replace the country's; without it the rate is the country's. */
  region?: string | null;
  name: string;
  /** Hundredths of a percent. */
  basisPoints: number;
  validFrom: string;
  validUntil?: string | null;
}

export interface TaxRate extends NewTaxRate {
  _id: string;
}

/** What is wrong with a line of a file. */
export interface Finding {
  line: number;
  field?: string | null;
  message: string;
}

/** What became of a file of rates: with a finding nothing was added. */
export interface RatesReport {
  added: number;
  findings: Finding[];
}

export const exemptionKinds = ['resale', 'government', 'reverse-charge'] as const;
export type ExemptionKind = (typeof exemptionKinds)[number];

export interface NewExemption {
  email: string;
  kind: ExemptionKind;
  country: string;
  region?: string | null;
  /** Of the certificate, or the VAT id. */
  number: string;
  validUntil?: string | null;
}

export interface Exemption extends NewExemption {
  _id: string;
  /** Unchecked: its number has not been confirmed, and the normal tax applies. */
  state: 'valid' | 'unchecked' | 'expired';
}
