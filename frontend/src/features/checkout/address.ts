import { type AddressValues, formatOf, labelOf, partsOf } from '@/features/addresses/format';
import { fieldMessages } from '@/features/addresses/messages';
import type { AddressPart, BookAddress, Country } from '@/features/addresses/wire';

function isRequired(part: AddressPart, format: Country): boolean {
  if (part === 'region' || part === 'postcode') return format[part] === 'required';
  return part === 'line1' || part === 'city';
}

/** What is missing of an address, by field. */
export function missingOf(
  values: AddressValues,
  countries: readonly Country[],
): Partial<Record<AddressPart, string>> {
  const format = formatOf(countries, values.country);
  const missing = partsOf(format).filter(
    (part) => isRequired(part, format) && values[part].trim() === '',
  );
  return Object.fromEntries(
    missing.map((part) => [part, fieldMessages.required(labelOf(part, format))]),
  );
}

/** An address in one line, to tell it from others. */
export function inOneLine({ name, company, line1, city, postcode }: BookAddress): string {
  return [company || name, line1, [postcode, city].filter(Boolean).join(' ')].join(', ');
}
