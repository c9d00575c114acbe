import { object, string } from 'yup';
import { type AddressValues, formatOf, labelOf, longest } from './format';
import { fieldMessages, messages } from './messages';
import type { Country } from './wire';

const text = (most: number) => string().trim().max(most, fieldMessages.most(most));

/** The rules of an address's fields, which depend on the country beside them. */
export function addressShape(countries: readonly Country[]) {
  const required = (part: keyof AddressValues) =>
    text(longest[part]).required(fieldMessages.required(fieldMessages[part]));
  const asNeeded = (part: 'region' | 'postcode') =>
    text(longest[part]).when(['country'], ([country], rule) => {
      const format = formatOf(countries, String(country ?? ''));
      return format[part] === 'required'
        ? rule.required(fieldMessages.required(labelOf(part, format)))
        : rule;
    });
  return {
    company: text(longest.company),
    line1: required('line1'),
    line2: text(longest.line2),
    city: required('city'),
    region: asNeeded('region'),
    postcode: asNeeded('postcode'),
    country: required('country'),
  };
}

/** The rules of an address, for a field of a form's schema. */
export const addressSchema = (countries: readonly Country[]) => object(addressShape(countries));

/** The rules of an entry of the address book. */
export const bookSchema = (countries: readonly Country[]) =>
  object({
    ...addressShape(countries),
    name: text(120).required(messages.nameRequired),
    phone: text(40),
  });
