import { formatCount, formatMoney } from '@/lib/money';

/* Every word of the basket. */

const parts = (count: number) => (count === 1 ? '1 part' : `${formatCount(count)} parts`);

export const basketMessages = {
  title: 'Basket',
  open: (count: number) => (count === 0 ? 'Basket: empty' : `Basket: ${parts(count)}`),
  close: 'Close basket',
  loading: 'Loading your basket',
  failed: "We couldn't load your basket",
  empty: 'Your basket is empty',
  emptyHint: 'Add parts from the shop, or paste your list of part numbers into Quick order.',
  shop: 'Go to the shop',
  quickOrder: 'Quick order',
  lines: 'Parts in your basket',
  count: parts,
  add: 'Add to order',
  addOf: (quantity: number, name: string) => `Add ${formatCount(quantity)} × ${name} to order`,
  added: (quantity: number, name: string) => `${formatCount(quantity)} × ${name} is in your basket`,
  addedMany: (count: number) =>
    count === 1 ? '1 part is in your basket' : `${formatCount(count)} parts are in your basket`,
  notAdded: (reason: string) => `We couldn't add that to your basket. ${reason}`,
  inBasket: (quantity: number) => `${formatCount(quantity)} in your basket`,
  view: 'View basket',
  partNumber: 'Part number',
  each: (dollars: number) => `${formatMoney(dollars)} each`,
  noPrice: 'No price',
  quantity: 'Quantity',
  quantityOf: (name: string) => `Quantity of ${name}`,
  less: (units: number, name: string) => `Remove ${formatCount(units)} of ${name}`,
  more: (units: number, name: string) => `Add ${formatCount(units)} of ${name}`,
  minimum: (minimum: number, available: number) =>
    `Minimum ${formatCount(minimum)} · ${formatCount(available)} in stock`,
  total: 'Total',
  remove: 'Remove',
  removeOf: (name: string) => `Remove ${name}`,
  removed: (name: string) => `${name} removed from your basket`,
  clear: 'Empty basket',
  cleared: (count: number) => `${parts(count)} removed from your basket`,
  subtotal: 'Goods',
  subtotalHint: 'Freight and tax are added at checkout.',
  visitorHint: 'Log in at checkout. Your basket comes with you.',
  checkout: 'Check out',
  problems: (count: number) =>
    count === 1
      ? '1 part needs your attention before you check out.'
      : `${formatCount(count)} parts need your attention before you check out.`,
  conflict: 'Your basket was changed on another device. This is the latest version.',
  notSaved: (reason: string) => `We couldn't save your basket. ${reason}`,
  notMoved: (reason: string) => `We couldn't add this browser's basket to your account. ${reason}`,
  status: {
    ok: 'In stock',
    replaced: 'Replaced',
    choose: 'Choose a part',
    adjusted: 'Quantity changed',
    short: 'Not enough stock',
    unknown: 'No longer available',
    moved: 'Price changed',
  },
  acceptPrice: (dollars: number) => `Order at ${formatMoney(dollars)}`,
  lowerTo: (quantity: number) => `Change to ${formatCount(quantity)}`,
  takeReplacement: (part: string) => `Order ${part} instead`,
  replacement: 'the new part',
} as const;
