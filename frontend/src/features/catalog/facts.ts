import type { Part, PartAttribute } from '@/api/parts';
import { formatCount } from '@/lib/money';
import { factMessages } from './pages/fact-messages';
import { productMessages } from './pages/messages';

export interface Fact {
  label: string;
  value: string;
}

/** What is known of a part; what is not is left out. */
type Known = (part: Part) => string | undefined;

const known: readonly { label: string; value: Known }[] = [
  { label: productMessages.category, value: ({ category }) => category },
  { label: factMessages.brand, value: ({ brand }) => brand },
  { label: factMessages.partType, value: ({ partType }) => partType },
  { label: productMessages.minimum, value: ({ minOrder }) => formatCount(minOrder) },
  { label: productMessages.available, value: ({ availableQty }) => formatCount(availableQty) },
  {
    label: factMessages.packSize,
    value: ({ packSize }) => (packSize && packSize > 1 ? formatCount(packSize) : undefined),
  },
  {
    label: factMessages.weight,
    value: ({ weight }) => (weight ? factMessages.grams(weight) : undefined),
  },
  {
    label: factMessages.size,
    value: ({ length, width, height }) =>
      length && width && height ? factMessages.millimeters([length, width, height]) : undefined,
  },
  {
    label: factMessages.fits,
    value: ({ universal }) => (universal ? factMessages.universal : undefined),
  },
];

function textOf({ value, unit }: PartAttribute): string {
  if (typeof value === 'boolean') return value ? factMessages.yes : factMessages.no;
  const text = typeof value === 'number' ? formatCount(value) : value;
  return unit ? `${text} ${unit}` : text;
}

/** The list of facts on a product's page: what every part says, then the attributes of its kind. */
export function factsOf(part: Part): Fact[] {
  const common = known.flatMap(({ label, value }) => {
    const text = value(part);
    return text === undefined ? [] : [{ label, value: text }];
  });
  const own = (part.attributes ?? []).map((each) => ({ label: each.name, value: textOf(each) }));
  return [...common, ...own];
}
