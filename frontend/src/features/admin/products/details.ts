import { array, boolean, number, type ObjectSchema, object, type Schema, string } from 'yup';
import type { Part, PartAttribute, PartFacts } from '@/api/parts';
import { formatCount } from '@/lib/money';
import { messages } from './messages';

const { rules, details: text } = messages;

/** An attribute as it is typed. */
export interface TypedAttribute {
  name: string;
  value: string;
}

/** Whether a part is taxed where its buyer is, or nowhere. */
export type TaxClass = 'standard' | 'none';

type Facts = PartFacts & { taxClass?: TaxClass };

/** What buyers find a part by, as the form holds it: number inputs hold a number or, while there is none, an empty text. */
export interface DetailValues {
  brand: string;
  partType: string;
  packSize: number | '';
  weight: number | '';
  length: number | '';
  width: number | '';
  height: number | '';
  universal: boolean;
  taxClass: TaxClass;
  attributes: TypedAttribute[];
}

export const measures = ['packSize', 'weight', 'length', 'width', 'height'] as const;

export const blankDetails: DetailValues = {
  brand: '',
  partType: '',
  packSize: '',
  weight: '',
  length: '',
  width: '',
  height: '',
  universal: false,
  taxClass: 'standard',
  attributes: [],
};

/** A value as one would type it: a number with its unit. */
function typed(value: PartAttribute['value'], unit: string | undefined): string {
  if (typeof value === 'boolean') return value ? text.yes : text.no;
  return unit ? `${value} ${unit}` : String(value);
}

/** What a form begins with. */
export function detailsOf(part: Part & Facts): DetailValues {
  return {
    brand: part.brand ?? '',
    partType: part.partType ?? '',
    packSize: part.packSize ?? '',
    weight: part.weight ?? '',
    length: part.length ?? '',
    width: part.width ?? '',
    height: part.height ?? '',
    universal: part.universal ?? false,
    taxClass: part.taxClass ?? 'standard',
    attributes: (part.attributes ?? []).map(({ name, value, unit }) => ({
      name,
      value: typed(value, unit),
    })),
  };
}

/** A value as the wire has it: Yes and No are flags, and a number with a unit is read as one by the shop. */
export function wireValue(typed: string): PartAttribute['value'] {
  const value = typed.trim();
  if (/^-?\d+(?:\.\d+)?$/.test(value)) return Number(value);
  if (/^(?:yes|true)$/i.test(value)) return true;
  return /^(?:no|false)$/i.test(value) ? false : value;
}

type Wire = { [Name in keyof DetailValues]?: Facts[Name] | null };

function wireOf(values: DetailValues): Required<Wire> {
  const ofText = (words: string) => words.trim() || null;
  // An empty input is none of them, and neither is 0.
  const ofNumber = (units: number | '' | undefined) => units || null;
  return {
    brand: ofText(values.brand),
    partType: ofText(values.partType),
    // A part that is sold one by one has a pack of one.
    packSize: values.packSize || 1,
    weight: ofNumber(values.weight),
    length: ofNumber(values.length),
    width: ofNumber(values.width),
    height: ofNumber(values.height),
    universal: values.universal,
    taxClass: values.taxClass,
    attributes: values.attributes
      .filter(({ name, value }) => name.trim() && value.trim())
      .map(({ name, value }) => ({ name: name.trim(), value: wireValue(value) })),
  };
}

/** Which of them differ, as the wire has them. */
export function detailsBetween(before: DetailValues, now: DetailValues) {
  const [was, is] = [wireOf(before), wireOf(now)];
  const names = Object.keys(is) as (keyof DetailValues)[];
  return names.filter((name) => JSON.stringify(was[name]) !== JSON.stringify(is[name]));
}

/** What is sent: only what differs from before; what was emptied is null. */
export function changedDetails(before: DetailValues, now: DetailValues): Wire {
  const is = wireOf(now);
  return Object.fromEntries(detailsBetween(before, now).map((name) => [name, is[name]]));
}

/** The same as it was seen. */
export function seenDetails(before: DetailValues, now: DetailValues): Wire {
  const was = wireOf(before);
  return Object.fromEntries(detailsBetween(before, now).map((name) => [name, was[name]]));
}

const measure = (subject: string) =>
  number()
    .transform((value, typed) => (typed === '' ? undefined : value))
    .typeError(rules.number(subject))
    .integer(rules.whole(subject))
    .min(1, rules.positive(subject))
    .max(1_000_000, rules.most(formatCount(1_000_000)));

/* The form's kinds are those of what it holds, which yup cannot know. */
export const detailShape = object({
  brand: string().trim().max(60, rules.length(60)),
  partType: string().trim(),
  ...Object.fromEntries(measures.map((name) => [name, measure(text[name].subject)])),
  universal: boolean(),
  taxClass: string(),
  attributes: array().of(
    object({
      name: string().trim().required(rules.required(text.attributeName)).max(60, rules.length(60)),
      value: string()
        .trim()
        .required(rules.required(text.attributeValue))
        .max(120, rules.length(120)),
    }),
  ),
}) as Schema as ObjectSchema<DetailValues>;

/** The details apart from what else a form holds. */
export function splitDetails<Values extends DetailValues>(values: Values) {
  const {
    brand,
    partType,
    packSize,
    weight,
    length,
    width,
    height,
    universal,
    taxClass,
    attributes,
    ...rest
  } = values;
  const details = {
    brand,
    partType,
    packSize,
    weight,
    length,
    width,
    height,
    universal,
    taxClass,
    attributes,
  };
  return { details, rest };
}
