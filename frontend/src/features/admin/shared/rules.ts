import { number, string } from 'yup';
import { formatMoney } from '@/lib/money';
import { messages } from './messages';

/* Rules for what admins type: money, whole numbers, days. Lazy routes only, as all that is yup's. */

const { rules: text } = messages;

const HIGHEST_PRICE = 9_999_999.99;

/** An empty field is no number, and not one that is wrong. */
const blankIsNothing = (value: unknown, typed: unknown) => (typed === '' ? undefined : value);

const figure = (label: string) => number().transform(blankIsNothing).typeError(text.number(label));

const hasDecimals = (value: number | undefined, most: number) =>
  value === undefined || Math.abs(value * 10 ** most - Math.round(value * 10 ** most)) < 1e-4;

/** Dollars and cents; nothing is typed as an empty field, unless it is required. */
export const money = (label: string, least = 0.01) =>
  figure(label)
    .min(least, text.least(formatMoney(least)))
    .max(HIGHEST_PRICE, text.most(formatMoney(HIGHEST_PRICE)))
    .test('cents', text.decimals(2), (value) => hasDecimals(value, 2));

export const whole = (label: string, least: number, most: number) =>
  figure(label)
    .integer(text.whole(label))
    .min(least, text.least(String(least)))
    .max(most, text.most(most.toLocaleString('en-US')));

/** A number with some decimals. */
export const decimal = (label: string, least: number, most: number, decimals: number) =>
  figure(label)
    .min(least, text.least(String(least)))
    .max(most, text.most(String(most)))
    .test('decimals', text.decimals(decimals), (value) => hasDecimals(value, decimals));

export const words = (most: number) => string().trim().max(most, text.length(most));

/** A day as `2026-11-26`, as fields of that kind answer it. */
export const day = (label: string) => string().matches(/^(?:\d{4}-\d{2}-\d{2})?$/, text.day(label));

/** The last day of something, which does not come before its first, the field `from`. */
export const lastDay = (label: string, from: string) =>
  day(label).when([from], ([first], schema) =>
    schema.test('order', text.lastDay, (last) => !first || !last || last >= first),
  );
