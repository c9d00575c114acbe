import type { NumberKind } from '@/api/parts';
import { formatCount } from '@/lib/money';

const month = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Grams as they are read on a parcel. */
function weight(grams: number): string {
  return grams < 1000
    ? `${formatCount(grams)} g`
    : `${(grams / 1000).toLocaleString('en-US', { maximumFractionDigits: 2 })} kg`;
}

/* What a part's page says of what it is, and of its numbers. */
export const factMessages = {
  brand: 'Brand',
  partType: 'Part type',
  packSize: 'Sold in packs of',
  weight: 'Weight',
  grams: weight,
  size: 'Length × width × height',
  millimeters: (sides: readonly number[]) => `${sides.map(formatCount).join(' × ')} mm`,
  fits: 'Fits',
  universal: 'All vehicles',
  yes: 'Yes',
  no: 'No',
  numbers: 'Part numbers',
  kinds: {
    own: 'Our number',
    gtin: 'GTIN',
    oe: 'Original (OE) numbers',
    competitor: 'Same part from other makers',
    superseded: 'Replaces',
    supplier: "Supplier's numbers",
  } satisfies Record<NumberKind, string>,
  since: (day: string) => `since ${month.format(new Date(day))}`,
  copy: (number: string) => `Copy ${number}`,
  copied: 'Copied',
  copyByHand: 'Select it and copy it by hand',
  loading: 'Loading part numbers',
  failed: "We couldn't load the part numbers.",
  retry: 'Try again',
  replaced: 'This part has been replaced',
  replacedHint: 'The maker replaced it with a newer part, which does the same job.',
  replacedBy: 'Go to the new part',
} as const;
