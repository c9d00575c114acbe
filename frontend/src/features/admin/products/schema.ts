import { mixed, number, type ObjectSchema, object, type Schema, string } from 'yup';
import type { CorrectionReason, NewProduct } from '@/api/types';
import {
  type AttributeField,
  attributes,
  type EditedName,
  editRows,
  type FieldName,
  fields,
} from '@/features/catalog/attributes';
import { formatCount, formatMoney } from '@/lib/money';
import { type DetailValues, detailShape } from './details';
import { messages } from './messages';

const { rules, image, correct } = messages;

const HIGHEST_COUNT = 1_000_000_000;
const HIGHEST_PRICE = 9_999_999.99;
/** What the shop takes: larger files are refused before they are sent. */
export const IMAGE_MAX = 5_000_000;
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'];

function units(name: string) {
  return number()
    .typeError(rules.number(name))
    .required(rules.required(name))
    .integer(rules.whole(name))
    .min(0, rules.negative(name))
    .max(HIGHEST_COUNT, rules.most(formatCount(HIGHEST_COUNT)));
}

const price = number()
  .typeError(rules.number(rules.price))
  .required(rules.required(rules.price))
  .min(0.01, rules.least(formatMoney(0.01)))
  .max(HIGHEST_PRICE, rules.most(formatMoney(HIGHEST_PRICE)))
  .test('cents', rules.decimals, (value) =>
    value === undefined ? true : Math.abs(value * 100 - Math.round(value * 100)) < 1e-4,
  );

/** What stands alone in the table of products. */
export const priceSchema = object({ price });

export const restockSchema = object({ quantity: units(rules.quantity), price });

export const correctionReasons = Object.entries(correct.reasons).map(([value, label]) => ({
  value,
  label,
}));

/** What was counted: the correction is the difference to what the shop believes. */
export const correctionSchema = object({
  counted: units(rules.counted),
  reason: string<CorrectionReason>().required(rules.required(rules.reason)),
  note: string().trim().max(200, rules.length(200)),
});

function ruleOf({ subject, input }: AttributeField): Schema {
  switch (input.kind) {
    case 'units':
      return units(subject);
    case 'price':
      return price;
    case 'category':
      return string().required(rules.required(subject));
    case 'text':
    case 'lines': {
      const words = string().trim().max(input.max, rules.length(input.max));
      return input.optional ? words : words.required(rules.required(subject));
    }
  }
}

const picture = mixed<File>()
  .test('type', image.type, (file) => (file ? IMAGE_TYPES.includes(file.type) : true))
  .test('size', image.size, (file) => (file ? file.size <= IMAGE_MAX : true));

/** A form without mistakes, its picture not uploaded yet. */
type Valid<Name extends FieldName> = Required<Pick<NewProduct, Exclude<Name, 'partNumber'>>> & {
  partNumber: string;
};

/* The tables' kinds are those of the wire's types, which yup cannot know. */

export const productSchema = object({
  ...Object.fromEntries(fields.map((field) => [field.name, ruleOf(field)])),
  image: picture.required(image.required),
}).concat(detailShape) as Schema as ObjectSchema<Valid<FieldName> & DetailValues & { image: File }>;

export const editSchema = object({
  ...Object.fromEntries(editRows.flat().map((name) => [name, ruleOf(attributes[name])])),
  image: picture.nullable(),
}).concat(detailShape) as Schema as ObjectSchema<
  Valid<EditedName> & DetailValues & { image: File | null }
>;
