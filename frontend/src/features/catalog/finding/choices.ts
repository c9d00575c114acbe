import type { AttributeFacet, Facets } from '@/api/parts';
import { categoryLabel } from '@/lib/categories';
import type { Pairs } from '@/lib/pairs';
import type { ShopFilter } from '../api';
import { findingMessages as messages } from './messages';

/** The facets whose values are chosen from a list. */
export const listFacets = ['partType', 'brand', 'position'] as const;
export type ListFacet = (typeof listFacets)[number];

export const attributeParam = (name: string) => `attr.${name}`;

/** A vehicle is chosen above the shop, and stays when filters go. */
const isOfVehicle = (name: string) => name === 'vehicle' || name === 'engine' || name === 'fit';
const isOfPrice = (name: string) => name === 'minPrice' || name === 'maxPrice';

export const vehicleOf = (more: Pairs): Pairs => more.filter(([name]) => isOfVehicle(name));

/** The vehicle of an address; null without one that can be meant. */
export function vehicleIn(more: Pairs): { vehicle: number; engine?: number } | null {
  const [vehicle, engine] = ['vehicle', 'engine'].map((name) => Number(valuesOf(more, name)[0]));
  if (!vehicle || !Number.isSafeInteger(vehicle)) return null;
  return { vehicle, ...(engine && Number.isSafeInteger(engine) ? { engine } : {}) };
}

export function withVehicle(more: Pairs, chosen: ReturnType<typeof vehicleIn>): Pairs {
  const others = more.filter(([name]) => !isOfVehicle(name));
  const { vehicle = '', engine = '' } = chosen ?? {};
  return withValues(withValues(others, 'vehicle', [String(vehicle)]), 'engine', [String(engine)]);
}

export function valuesOf(more: Pairs, name: string): string[] {
  return more.filter(([each]) => each === name).map(([, value]) => value);
}

/** With these values of a name, and no others of it. */
export function withValues(more: Pairs, name: string, values: readonly string[]): Pairs {
  return [
    ...more.filter(([each]) => each !== name),
    ...values.filter(Boolean).map((value) => [name, value] as const),
  ];
}

/** With the value chosen if it was not, and the other way round. A range is not chosen beside values. */
export function toggled(more: Pairs, name: string, value: string): Pairs {
  const chosen = valuesOf(more, name).filter((each) => each === value || !readRange(each));
  return withValues(
    more,
    name,
    chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value],
  );
}

/** The ends of a range; an end that is open is empty. */
export interface Range {
  from: string;
  to: string;
}

/** `280..320` as a range; null if it is a value of its own. */
export function readRange(value: string): Range | null {
  const [from, to, ...rest] = value.split('..');
  return from !== undefined && to !== undefined && rest.length === 0 ? { from, to } : null;
}

export const writeRange = ({ from, to }: Range) => (from || to ? `${from}..${to}` : '');

export const priceOf = (more: Pairs): Range => ({
  from: valuesOf(more, 'minPrice')[0] ?? '',
  to: valuesOf(more, 'maxPrice')[0] ?? '',
});

export function withPrice(more: Pairs, { from, to }: Range): Pairs {
  return withValues(withValues(more, 'minPrice', [from]), 'maxPrice', [to]);
}

/** A filter that hides something: what it is called, and the shop without it. */
export interface Chosen {
  key: string;
  label: string;
  without: ShopFilter;
}

/** What a value is called: a flag in words, a number with its unit. */
export function attributeValue(value: string, unit: string | undefined): string {
  const range = readRange(value);
  if (range) return messages.range(range.from, range.to, unit);
  if (value === 'yes') return messages.yes;
  if (value === 'no') return messages.no;
  return unit ? `${value} ${unit}` : value;
}

/** From how many different numbers on a range says more than a list of them. */
const MANY = 6;

/** The ends of an attribute whose values are many numbers; null for all others. */
export function endsOf({ values }: AttributeFacet): { min: number; max: number } | null {
  const numbers = values.map(({ value }) => Number(value));
  if (numbers.length <= MANY || numbers.some(Number.isNaN)) return null;
  return { min: Math.min(...numbers), max: Math.max(...numbers) };
}

function labelOf(name: string, value: string, facets: Facets['facets'] | undefined): string {
  if (name === 'number') return messages.chip(messages.number, value);
  const list = listFacets.find((each) => each === name);
  if (list) {
    const known = facets?.[list].find((choice) => choice.value === value);
    return messages.chip(messages.names[list], known?.name ?? value);
  }
  const attribute = name.slice(attributeParam('').length);
  const facet = facets?.attributes.find((each) => each.name === attribute);
  return messages.chip(attribute, attributeValue(value, facet?.unit));
}

/** What was chosen beside the parts, one by one; the two ends of a price are one. */
export function chosenOf(filter: ShopFilter, facets: Facets['facets'] | undefined): Chosen[] {
  const { more } = filter;
  const price = priceOf(more);
  const own = more
    .filter(([name]) => !isOfVehicle(name) && !isOfPrice(name))
    .map(([name, value]) => ({
      key: `${name}=${value}`,
      label: labelOf(name, value, facets),
      without: { ...filter, more: toggled(more, name, value) },
    }));
  if (!price.from && !price.to) return own;
  const without = { ...filter, more: withPrice(more, { from: '', to: '' }) };
  return [...own, { key: 'price', label: messages.priceRange(price.from, price.to), without }];
}

/** The most that is asked of the shop where nothing was found. */
const MOST_TRIES = 6;

/** What could be dropped where nothing was found: each filter, and each word of the search. */
export function dropsOf(filter: ShopFilter, facets: Facets['facets'] | undefined): Chosen[] {
  const { q, category, inStock, more } = filter;
  const drops = chosenOf(filter, facets);
  if (inStock) {
    drops.push({ key: 'inStock', label: messages.inStock, without: { ...filter, inStock: false } });
  }
  if (category) {
    const label = categoryLabel(category);
    drops.push({
      key: 'category',
      label: messages.chip(messages.names.category, label),
      without: { ...filter, category: '' },
    });
  }
  if (vehicleOf(more).length > 0) {
    const without = { ...filter, more: more.filter(([name]) => !isOfVehicle(name)) };
    drops.push({ key: 'vehicle', label: messages.vehicle, without });
  }
  const words = q.split(/\s+/).filter(Boolean);
  if (words.length > 1) {
    for (const [place, word] of words.entries()) {
      const rest = words.filter((_, each) => each !== place).join(' ');
      drops.push({ key: `q${place}`, label: messages.word(word), without: { ...filter, q: rest } });
    }
  } else if (q && drops.length > 0) {
    drops.push({ key: 'q', label: messages.word(q), without: { ...filter, q: '' } });
  }
  return drops.slice(0, MOST_TRIES);
}
