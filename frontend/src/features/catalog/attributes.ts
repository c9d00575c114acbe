import type { NewProduct, SentFacts } from '@/api/types';
import { attributeMessages as messages } from './pages/messages';

/** The input of an attribute on the admins' forms. `subject` begins its messages; less than `atLeast` is saved as that. */
export interface AttributeField {
  label: string;
  subject: string;
  hint?: string;
  input:
    | { kind: 'text' | 'lines'; max: number; optional?: boolean }
    | { kind: 'units'; initial?: number; atLeast?: number }
    | { kind: 'price' | 'category' };
}

/**
 * Every attribute that a product is added with beside its facts, in the order of a file's columns; the lengths are the server's own. The
 * picture has an input of its own.
 */
export const attributes = {
  name: {
    ...messages.name,
    input: { kind: 'text', max: 200 },
  },
  description: {
    ...messages.description,
    input: { kind: 'lines', max: 5000 },
  },
  category: {
    ...messages.category,
    input: { kind: 'category' },
  },
  partNumber: {
    ...messages.partNumber,
    input: { kind: 'text', max: 60, optional: true },
  },
  price: {
    ...messages.price,
    input: { kind: 'price' },
  },
  availableQty: {
    ...messages.availableQty,
    input: { kind: 'units' },
  },
  minOrder: {
    ...messages.minOrder,
    input: { kind: 'units', initial: 50, atLeast: 50 },
  },
  img: null,
} as const satisfies Record<Exclude<keyof NewProduct, keyof SentFacts>, AttributeField | null>;

export const columnNames = Object.keys(attributes);

/** The rows of the Add Product form; the picture comes after them. */
export const formRows = [
  ['category', 'name', 'partNumber'],
  ['description'],
  ['availableQty', 'minOrder', 'price'],
] as const satisfies readonly (readonly (keyof NewProduct)[])[];

export type FieldName = (typeof formRows)[number][number];

/** The rows of the Edit product form: units come and go elsewhere. */
export const editRows = [
  ['category', 'name', 'partNumber'],
  ['description'],
  ['minOrder', 'price'],
] as const satisfies readonly (readonly FieldName[])[];

export type EditedName = (typeof editRows)[number][number];

/** The attributes that the forms ask for. */
export const fields: readonly (AttributeField & { name: FieldName })[] = formRows
  .flat()
  .map((name) => ({ name, ...attributes[name] }));
