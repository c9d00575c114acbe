import { fieldMessages } from './messages';
import { type Address, type AddressPart, addressParts, type Country } from './wire';

/** An address as forms hold it: nothing is missing, what was not typed is empty. */
export type AddressValues = Record<AddressPart, string>;

/** Where most of the buyers are. */
const HOME = 'US';

export const blankAddress: AddressValues = {
  company: '',
  line1: '',
  line2: '',
  city: '',
  region: '',
  postcode: '',
  country: HOME,
};

/** How a country is written that nobody described: everything may be there, and nothing has to. */
const plain: Omit<Country, 'code' | 'name'> = {
  postcode: 'optional',
  region: 'optional',
  regionName: null,
  postcodeName: null,
  order: [...addressParts],
};

/** How addresses of this country are written. */
export function formatOf(countries: readonly Country[], code: string): Country {
  return countries.find((each) => each.code === code) ?? { code, name: code, ...plain };
}

const isPart = (name: string): name is AddressPart =>
  addressParts.some((part) => part === name) && name !== 'country';

/**
 * The fields of a country's addresses in the order of an envelope. The country is none of them: it is asked for first, since
 * the others follow from it. What the order forgot stands where it would elsewhere, at the end.
 */
export function partsOf(format: Country): AddressPart[] {
  const listed = format.order.filter(isPart);
  const others = addressParts.filter((part) => isPart(part) && !listed.includes(part));
  return [...new Set([...listed, ...others])].filter(
    (part) => !((part === 'region' || part === 'postcode') && format[part] === 'none'),
  );
}

/** What a field is called in this country. */
export function labelOf(part: keyof AddressValues, { regionName, postcodeName }: Country): string {
  if (part === 'region') return regionName ?? fieldMessages.region;
  if (part === 'postcode') return postcodeName ?? fieldMessages.postcode;
  return fieldMessages[part];
}

/** The address as it is sent: trimmed, without what is empty, and without what its country's addresses do not have. */
export function addressOf(values: AddressValues, countries: readonly Country[]): Address {
  const { line1, city, country } = values;
  const parts = partsOf(formatOf(countries, country));
  const optional = (['company', 'line2', 'region', 'postcode'] as const).flatMap((part) => {
    const text = values[part].trim();
    return text && parts.includes(part) ? [[part, text] as const] : [];
  });
  return { line1: line1.trim(), city: city.trim(), country, ...Object.fromEntries(optional) };
}

/** What forms begin with for an address that is known. */
export function addressValues(address: Partial<Address>): AddressValues {
  const known = addressParts.map((part) => [part, address[part] ?? blankAddress[part]] as const);
  return { ...blankAddress, ...Object.fromEntries(known) };
}

/** How many characters each part may have. */
export const longest: Record<AddressPart, number> = {
  company: 100,
  line1: 100,
  line2: 100,
  city: 60,
  region: 60,
  postcode: 16,
  country: 2,
};

/** Countries as people look for them; the shop has them by their codes. */
export const byName = (countries: readonly Country[]) =>
  countries.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));

/** The region's code for what a browser filled in: its code or its name, in whatever case. Else nothing. */
export function regionIn({ regions }: Country, text: string): string {
  if (!regions || regions.length === 0) return text;
  const wanted = text.trim().toLowerCase();
  const same = ({ code, name }: { code: string; name: string }) =>
    code.toLowerCase() === wanted || name.toLowerCase() === wanted;
  return regions.find(same)?.code ?? '';
}

/** An address line by line, as on an envelope: what stands beside each other there is in one line. */
export function addressLines(address: Address, countries: readonly Country[]): string[] {
  const format = formatOf(countries, address.country);
  const beside = new Set<AddressPart>(['city', 'region', 'postcode']);
  const lines: string[] = [];
  let joins = false;
  for (const part of partsOf(format)) {
    const text = address[part]?.trim();
    if (!text) continue;
    const last = lines.at(-1);
    if (joins && beside.has(part) && last !== undefined)
      lines[lines.length - 1] = `${last} ${text}`;
    else lines.push(text);
    joins = beside.has(part);
  }
  return [...lines, format.name];
}
