import { formatCount, formatMoney } from '@/lib/money';

/* Every word of prices by quantity. */

export const messages = {
  heading: 'Price by quantity',
  personalHeading: 'Your price by quantity',
  units: 'Units',
  each: 'Each',
  saves: 'You save',
  from: (units: number) => `${formatCount(units)}+`,
  price: formatMoney,
  percent: (part: number) => `${Math.round(part * 100)}%`,
  nothing: '–',
  applies: 'your quantity',
  saving: (more: number, less: number) =>
    `Add ${formatCount(more)} more and pay ${formatMoney(less)} less in all`,
  yourPrice: 'Your price',
  listPrice: (dollars: number) => `List price ${formatMoney(dollars)}`,
} as const;
