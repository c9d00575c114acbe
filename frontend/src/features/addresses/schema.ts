import { boolean, lazy, object, string } from 'yup';
import { type AddressValues, formatOf } from './format';
import { fieldMessages, messages } from './messages';
import type { Country } from './wire';

/** How long each part may be. */
const MOST = 120;
const POSTCODE = 20;

const text = (most = MOST) => string().trim().max(most, fieldMessages.most(most));

/** What a field is called in this country. */
export function labelOf(part: keyof AddressValues, { regionName, postcodeName }: Country): string {
  if (part === 'region') return regionName ?? fieldMessages.region;
  if (part === 'postcode') return postcodeName ?? fieldMessages.postcode;
  return fieldMessages[part];
}

function shapeOf(format: Country) {
  const required = (part: keyof AddressValues, most?: number) =>
    text(most).required(fieldMessages.required(labelOf(part, format)));
  return {
    company: text(),
    line1: required('line1'),
    line2: text(),
    city: required('city'),
    region: format.region === 'required' ? required('region') : text(),
    postcode: format.postcode === 'required' ? required('postcode', POSTCODE) : text(POSTCODE),
    country: string().required(fieldMessages.required(fieldMessages.country)),
  };
}

const countryOf = (values: unknown) => String((values as Partial<AddressValues>)?.country ?? '');

/** The rules of an address, which depend on the country that is chosen in it. For a field of a form's schema. */
export function addressSchema(countries: readonly Country[]) {
  return lazy((values: unknown) => object(shapeOf(formatOf(countries, countryOf(values)))));
}

/** The rules of an entry of the address book. */
export function bookSchema(countries: readonly Country[]) {
  return lazy((values: unknown) =>
    object({
      ...shapeOf(formatOf(countries, countryOf(values))),
      name: text().required(messages.nameRequired),
      phone: text(40),
      isDefault: boolean(),
    }),
  );
}
