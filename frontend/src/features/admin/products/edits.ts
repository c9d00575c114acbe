import type { Part } from '@/api/parts';
import type { EditedProduct, Product, SeenProduct } from '@/api/types';
import { attributes, type EditedName, editRows } from '@/features/catalog/attributes';
import { formatCount, formatMoney } from '@/lib/money';
import { type DetailValues, detailsBetween, detailsOf } from './details';
import { messages } from './messages';

const { edit: text } = messages;

const detailSubjects: Record<keyof DetailValues, string> = {
  brand: messages.details.brand.subject,
  partType: messages.details.partType.subject,
  packSize: messages.details.packSize.subject,
  weight: messages.details.weight.subject,
  length: messages.details.length.subject,
  width: messages.details.width.subject,
  height: messages.details.height.subject,
  universal: messages.details.universal,
  taxClass: messages.details.taxClass,
  attributes: messages.details.attributes,
};

const names: readonly EditedName[] = editRows.flat();

/** Number inputs hold a number or, while there is none in them, an empty text. */
export type EditValues = Record<EditedName, string | number> &
  DetailValues & { image: File | null };

/** What the form begins with. */
export function valuesOf(product: Part): EditValues {
  const values = names.map((name) => [name, product[name] ?? '']);
  return {
    ...(Object.fromEntries(values) as Record<EditedName, string | number>),
    ...detailsOf(product),
    image: null,
  };
}

/** A product as the form leaves it. */
type Wanted = Pick<Product, EditedName | 'img'>;

/** What to send: only what differs, beside what it was when the admin saw it; null if that is nothing. */
export function editOf(seen: Product, wanted: Wanted): EditedProduct | null {
  const changed = ([...names, 'img'] as const).filter((name) => wanted[name] !== seen[name]);
  if (changed.length === 0) return null;
  const pick = (from: Wanted) => Object.fromEntries(changed.map((name) => [name, from[name]]));
  return { ...pick(wanted), seen: pick(seen) as SeenProduct };
}

/** What somebody else changed since the admin saw the product, by the form's fields. */
export function changedBetween(seen: Product, now: Product): readonly EditedName[] {
  return names.filter((name) => seen[name] !== now[name]);
}

/** The same in words. */
export function changesInWords(seen: Part, now: Part): readonly string[] {
  const words = changedBetween(seen, now).map((name) => {
    const { subject } = attributes[name];
    if (name === 'description') return text.changed(subject);
    if (name === 'price') return text.changedTo(subject, formatMoney(now.price));
    if (name === 'minOrder') return text.changedTo(subject, formatCount(now.minOrder));
    return text.changedTo(subject, now[name] ?? text.none);
  });
  const details = detailsBetween(detailsOf(seen), detailsOf(now)).map((name) =>
    text.changed(detailSubjects[name]),
  );
  const image = seen.img === now.img ? [] : [text.changed(messages.image.label)];
  return [...words, ...details, ...image];
}
