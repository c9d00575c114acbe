import { checkoutMessages } from './messages';
import type { Address, Country, KeptAddress } from './wire';

const { address: text } = checkoutMessages;

/** The parts of an address that have a field of their own, beside the country. */
export const addressFields = ['company', 'line1', 'line2', 'city', 'region', 'postcode'] as const;
export type AddressField = (typeof addressFields)[number];
export type AddressValues = Record<AddressField | 'country', string>;

export const blankAddress: AddressValues = {
  company: '',
  line1: '',
  line2: '',
  city: '',
  region: '',
  postcode: '',
  country: 'US',
};

/** What browsers fill the fields in with. */
export const autofill: Record<AddressField | 'country', string> = {
  company: 'shipping organization',
  line1: 'shipping address-line1',
  line2: 'shipping address-line2',
  city: 'shipping address-level2',
  region: 'shipping address-level1',
  postcode: 'shipping postal-code',
  country: 'shipping country',
};

export const longest: Record<AddressField, number> = {
  company: 120,
  line1: 120,
  line2: 120,
  city: 80,
  region: 80,
  postcode: 20,
};

const isField = (name: string): name is AddressField =>
  addressFields.some((field) => field === name);

/** The fields of a country's addresses, in the order of its envelopes. */
export function fieldsOf(country: Country | undefined): AddressField[] {
  const said = (country?.order ?? []).filter(isField);
  // Where an envelope has no line for it, there may still be a company or a second line.
  const missing = addressFields.filter((field) => !said.includes(field));
  const before = missing.filter((field) => field === 'company');
  const all = [...before, ...said];
  if (!all.includes('line1')) all.push('line1');
  if (!all.includes('line2')) all.splice(all.indexOf('line1') + 1, 0, 'line2');
  for (const field of missing) if (!all.includes(field)) all.push(field);
  return all.filter(
    (field) =>
      !(field === 'region' && country?.region === 'none') &&
      !(field === 'postcode' && country?.postcode === 'none'),
  );
}

/** What a field is called there. */
export function labelOf(field: AddressField, country: Country | undefined): string {
  if (field === 'region') return country?.regionName ?? text.region;
  if (field === 'postcode') return country?.postcodeName ?? text.postcode;
  return text[field];
}

export function isOptional(field: AddressField, country: Country | undefined): boolean {
  if (field === 'region') return country?.region !== 'required';
  if (field === 'postcode') return country?.postcode === 'optional';
  return field === 'company' || field === 'line2';
}

/** What is missing of an address, by field. */
export function missingOf(
  values: AddressValues,
  country: Country | undefined,
): Partial<Record<AddressField | 'country', string>> {
  if (!values.country) return { country: text.countryRequired };
  const missing = fieldsOf(country)
    .filter((field) => !isOptional(field, country) && values[field].trim() === '')
    .map((field) => {
      if (field === 'line1') return [field, text.line1Required];
      return [field, text.required(labelOf(field, country))];
    });
  return Object.fromEntries(missing);
}

/** An address as it is sent: without what is empty, and without what the country's addresses do not have. */
export function addressOf(values: AddressValues, country: Country | undefined): Address {
  const sent: Record<string, string> = { country: values.country };
  for (const field of fieldsOf(country)) {
    const value = values[field].trim();
    if (value !== '') sent[field] = value;
  }
  return { line1: '', city: '', postcode: '', country: values.country, ...sent };
}

/** A kept address as the form has it. */
export function valuesOf(kept: KeptAddress): AddressValues {
  const { company, line1, line2, city, region, postcode, country } = kept;
  return {
    company: company ?? '',
    line1,
    line2: line2 ?? '',
    city,
    region: region ?? '',
    postcode,
    country,
  };
}

/** An address in one line, to tell it from others. */
export function inOneLine({ name, company, line1, city, postcode }: KeptAddress): string {
  return [company || name, line1, [postcode, city].filter(Boolean).join(' ')].join(', ');
}
