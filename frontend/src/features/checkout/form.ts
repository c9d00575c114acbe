import { type AddressValues, addressOf, blankAddress } from '@/features/addresses/format';
import type { Country } from '@/features/addresses/wire';
import { isEmail } from '@/lib/email';
import { CARD_MAX } from '@/lib/money';
import { missingOf } from './address';
import { checkoutMessages as messages } from './messages';
import type { CheckoutCheck, CheckoutRequest, SentLine, Terms } from './wire';

/** What is typed, as Formik and its draft hold it. */
export interface CheckoutValues extends AddressValues {
  name: string;
  phone: string;
  poNumber: string;
  note: string;
  /** Its id; empty for the shop's own choice. */
  shippingMethod: string;
  terms: Terms;
  /** `yes` if the address is to be kept. */
  saveAddress: 'yes' | '';
  /** The id of the kept address that it was filled in from. */
  kept: string;
}

export const blankCheckout: CheckoutValues = {
  ...blankAddress,
  name: '',
  phone: '',
  poNumber: '',
  note: '',
  shippingMethod: '',
  terms: 'card',
  saveAddress: '',
  kept: '',
};

const lengths = {
  company: 120,
  line1: 120,
  line2: 120,
  city: 120,
  region: 120,
  postcode: 20,
  name: 120,
  phone: 40,
  poNumber: 60,
  note: 1_000,
} as const;
export const lengthOf = (field: keyof typeof lengths): number => lengths[field];

/** What has to be put right before this can be placed, by field. */
export function faultsOf(
  values: CheckoutValues,
  countries: readonly Country[],
): Partial<Record<keyof CheckoutValues, string>> {
  const { contact, order } = messages;
  const long = Object.entries(lengths)
    .filter(([field, most]) => values[field as keyof typeof lengths].trim().length > most)
    .map(([field, most]) => [field, order.most(most)]);
  return {
    ...Object.fromEntries(long),
    ...(values.name.trim() === '' ? { name: contact.nameRequired } : {}),
    ...(values.phone.trim() === '' ? { phone: contact.phoneRequired } : {}),
    ...missingOf(values, countries),
  };
}

/** The checkout as it is sent. Only placing it needs somebody to call. */
export function requestOf(
  values: CheckoutValues,
  countries: readonly Country[],
  lines: readonly SentLine[],
  methods: readonly { _id: string }[],
  email?: string,
): CheckoutRequest {
  const method = methods.find(({ _id }) => _id === values.shippingMethod)?._id;
  const poNumber = values.poNumber.trim();
  const note = values.note.trim();
  const contact = {
    name: values.name.trim(),
    phone: values.phone.trim(),
    ...(email && isEmail(email) ? { email } : {}),
  };
  return {
    lines: [...lines],
    ...(email === undefined ? {} : { contact }),
    address: addressOf(values, countries),
    ...(email !== undefined && poNumber ? { poNumber } : {}),
    ...(email !== undefined && note ? { note } : {}),
    terms: values.terms,
    ...(method === undefined ? {} : { shippingMethod: method }),
  };
}

/** How this may be paid: what is too much for a card, on account. */
export function termsOffered(check: CheckoutCheck | undefined): readonly Terms[] {
  if (check?.terms && check.terms.length > 0) return check.terms;
  return check?.due && check.due > CARD_MAX ? ['account'] : ['card'];
}

/** How it is going to be paid: as chosen, as far as that is offered. */
export function termsOf({ terms }: CheckoutValues, check: CheckoutCheck | undefined): Terms {
  const offered = termsOffered(check);
  return offered.includes(terms) ? terms : (offered[0] ?? 'card');
}

/** The form's name for a field of the wire, such as `address.postcode`. */
export const fieldOf = (wireName: string): string => wireName.split('.').at(-1) ?? wireName;
