import { formatCount, formatMoney } from '@/lib/money';

const dollars = (text: string) => formatMoney(Number(text));

/* Every word of the shop's filters beside the parts, and of what is offered where nothing was found. */
export const findingMessages = {
  filters: 'Filters',
  filtersOn: (count: number) => (count === 0 ? 'Filters' : `Filters (${count})`),
  close: 'Close filters',
  show: (count: number) => (count === 1 ? 'Show 1 part' : `Show ${formatCount(count)} parts`),
  loading: 'Loading filters',
  failed: "We couldn't load the filters.",
  retry: 'Try again',
  names: {
    partType: 'Part type',
    brand: 'Brand',
    position: 'Position',
    category: 'Category',
    price: 'Price',
  },
  number: 'Part number',
  inStock: 'Ready to order',
  vehicle: 'Your vehicle',
  word: (word: string) => `“${word}”`,
  showAll: (count: number) => `Show all ${formatCount(count)}`,
  parts: (count: number) => (count === 1 ? '1 part' : `${formatCount(count)} parts`),
  choice: (label: string, count: number) =>
    `${label}, ${count === 1 ? '1 part' : `${formatCount(count)} parts`}`,
  yes: 'Yes',
  no: 'No',
  from: 'From',
  to: 'To',
  fromOf: (name: string) => `${name}, from`,
  toOf: (name: string) => `${name}, to`,
  applyRange: 'Apply',
  chip: (name: string, value: string) => `${name}: ${value}`,
  range: (from: string, to: string, unit = '') => {
    const ends = from && to ? `${from}–${to}` : from ? `from ${from}` : `up to ${to}`;
    return `${ends} ${unit}`.trim();
  },
  bucket: (from: number, to: number | null | undefined) =>
    to === null || to === undefined
      ? `${formatMoney(from)} and up`
      : `${formatMoney(from)}–${formatMoney(to)}`,
  priceRange: (from: string, to: string) => {
    if (from && to) return `${dollars(from)}–${dollars(to)}`;
    return from ? `From ${dollars(from)}` : `Up to ${dollars(to)}`;
  },
  perhaps: (count: number | undefined) =>
    count === undefined || count <= 0
      ? 'Fits under a condition'
      : `Fits under a condition (${formatCount(count)})`,
  types: 'What are you looking for?',
  chosen: 'Active filters',
  remove: (label: string) => `Remove filter ${label}`,
  clearAll: 'Clear all',
  drop: 'Drop a filter',
  without: (label: string) => `Without ${label}`,
  looking: 'Looking for what would match',
  maybe: 'Did you mean one of these?',
} as const;
