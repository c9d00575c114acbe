import { object, string } from 'yup';
import { messages } from '../messages';

const { sandbox: text } = messages;

/** What is typed into the sandbox's card fields. */
export interface TypedCard {
  number: string;
  expiry: string;
  cvc: string;
}

export interface SandboxCard {
  number: string;
  expMonth: number;
  expYear: number;
  cvc: string;
}

/** As in Stripe's test mode. */
export const testCards = [
  { number: '4242 4242 4242 4242', outcome: text.succeeds },
  { number: '4000 0000 0000 0002', outcome: text.declined },
  { number: '4000 0000 0000 9995', outcome: text.insufficientFunds },
] as const;

const digitsOf = (text: string) => text.replace(/\D/g, '');

/** `4242424242` is `4242 4242 42`. */
export function groupDigits(text: string): string {
  return digitsOf(text)
    .slice(0, 19)
    .replace(/(\d{4})(?=\d)/g, '$1 ');
}

/** The check digit of card numbers (ISO/IEC 7812-1, annex B). */
export function passesLuhn(text: string): boolean {
  const digits = digitsOf(text);
  if (digits.length < 12 || digits.length > 19) return false;
  const sum = Array.from(digits)
    .reverse()
    .map(Number)
    .reduce((total, digit, place) => {
      const weighed = place % 2 === 0 ? digit : digit * 2;
      return total + (weighed > 9 ? weighed - 9 : weighed);
    }, 0);
  return sum % 10 === 0;
}

/** Reads `12/34`, `12 / 2034` and `1234`; null where it names no month. */
export function parseExpiry(text: string): { month: number; year: number } | null {
  const match = /^\s*(\d{1,2})\s*[/-]\s*(\d{4}|\d{2})\s*$|^\s*(\d{2})(\d{4}|\d{2})\s*$/.exec(text);
  if (!match) return null;
  const month = Number(match[1] ?? match[3]);
  const year = Number(match[2] ?? match[4]);
  if (month < 1 || month > 12) return null;
  return { month, year: year < 100 ? 2000 + year : year };
}

/** A card is good until the last day of its month. */
export function isExpired({ month, year }: { month: number; year: number }, now: Date): boolean {
  return year * 12 + month < now.getFullYear() * 12 + now.getMonth() + 1;
}

export const cardSchema = object({
  number: string().required(text.numberRequired).test('luhn', text.numberInvalid, passesLuhn),
  expiry: string()
    .required(text.expiryRequired)
    .test('month', text.expiryFormat, (text) => parseExpiry(text) !== null)
    .test('past', text.expiryPast, (text) => {
      const expiry = parseExpiry(text);
      return expiry === null || !isExpired(expiry, new Date());
    }),
  cvc: string()
    .required(text.cvcRequired)
    .matches(/^\d{3,4}$/, text.cvcFormat),
});

/** A card that has passed `cardSchema`; null otherwise. */
export function readCard(typed: TypedCard): SandboxCard | null {
  const expiry = parseExpiry(typed.expiry);
  if (!expiry) return null;
  return {
    number: digitsOf(typed.number),
    expMonth: expiry.month,
    expYear: expiry.year,
    cvc: typed.cvc,
  };
}
