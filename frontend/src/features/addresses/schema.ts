import { object, string } from 'yup';
import { type AddressValues, formatOf, labelOf } from './format';
import { fieldMessages, messages } from './messages';
import type { Country } from './wire';

/** How long each part may be. */
const MOST = 120;
const POSTCODE = 20;

const text = (most = MOST) => string().trim().max(most, fieldMessages.most(most));

/** The rules of an address's fields, which depend on the country beside them. */
export function addressShape(countries: readonly Country[]) {
  const required = (part: keyof AddressValues) =>
    text().required(fieldMessages.required(fieldMessages[part]));
  const asNeeded = (part: 'region' | 'postcode', most?: number) =>
    text(most).when(['country'], ([country], rule) => {
      const format = formatOf(countries, String(country ?? ''));
      return format[part] === 'required'
        ? rule.required(fieldMessages.required(labelOf(part, format)))
        : rule;
    });
  return {
    company: text(),
    line1: required('line1'),
    line2: text(),
    city: required('city'),
    region: asNeeded('region'),
    postcode: asNeeded('postcode', POSTCODE),
    country: required('country'),
  };
}

/** The rules of an address, for a field of a form's schema. */
export const addressSchema = (countries: readonly Country[]) => object(addressShape(countries));

/** The rules of an entry of the address book. */
export const bookSchema = (countries: readonly Country[]) =>
  object({
    ...addressShape(countries),
    name: text().required(messages.nameRequired),
    phone: text(40),
  });
