import { mixed, number, type ObjectSchema, object, type Schema, string } from 'yup';
import type { CorrectionReason, NewProduct } from '@/api/types';
import { type AttributeField, type FieldName, fields } from '@/features/catalog/attributes';
import { formatCount, formatMoney } from '@/lib/money';

const HIGHEST_PRICE = 9_999_999.99;
/** What the shop takes: larger files are refused before they are sent. */
export const IMAGE_MAX = 5_000_000;
export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp'];

function units(name: string) {
  return number()
    .typeError(`${name} must be a number`)
    .required(`${name} is required`)
    .integer(`${name} must be a whole number`)
    .min(0, `${name} must not be negative`)
    .max(1_000_000_000, `${name} is more than any shelf holds`);
}

const price = number()
  .typeError('Price must be a number')
  .required('Price is required')
  .min(0.01, 'Price must be at least $0.01')
  .max(HIGHEST_PRICE, `Price must be at most ${formatMoney(HIGHEST_PRICE)}`)
  .test('cents', 'Price can have two decimals at most', (value) =>
    value === undefined ? true : Math.abs(value * 100 - Math.round(value * 100)) < 1e-4,
  );

export const restockSchema = object({ quantity: units('Quantity'), price });

export const correctionReasons = [
  { value: 'breakage', label: 'Units broke' },
  { value: 'miscount', label: 'Counted wrong' },
  { value: 'loss', label: 'Units are missing' },
  { value: 'found', label: 'Units turned up' },
  { value: 'other', label: 'Something else' },
] as const satisfies readonly { value: CorrectionReason; label: string }[];

/** What was counted: the correction is the difference to what the shop believes. */
export const correctionSchema = object({
  counted: units('Counted units'),
  reason: string<CorrectionReason>().required('Reason is required'),
  note: string().trim().max(200, 'At most 200 characters'),
});

function ruleOf({ subject, input }: AttributeField): Schema {
  switch (input.kind) {
    case 'units':
      return units(subject);
    case 'price':
      return price;
    case 'category':
      return string().required(`${subject} is required`);
    case 'text':
    case 'lines':
      return string()
        .trim()
        .max(input.max, `At most ${formatCount(input.max)} characters`)
        .required(`${subject} is required`);
  }
}

/** A form without mistakes, its picture not uploaded yet. */
type ValidProduct = Pick<NewProduct, Exclude<FieldName, 'minOrder'>> & {
  minOrder: number;
  image: File;
};

export const productSchema = object({
  ...Object.fromEntries(fields.map((field) => [field.name, ruleOf(field)])),
  image: mixed<File>()
    .required('Image is required')
    .test('type', 'Image must be a PNG, JPEG or WebP file', (file) =>
      file ? IMAGE_TYPES.includes(file.type) : true,
    )
    .test('size', 'Image must be at most 5 MB', (file) => (file ? file.size <= IMAGE_MAX : true)),
  // The table's kinds are those of the wire's types, which yup cannot know.
}) as Schema as ObjectSchema<ValidProduct>;
