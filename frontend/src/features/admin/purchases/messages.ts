import type { PurchaseState } from '@/features/checkout/wire';
import { formatCount, formatMoney } from '@/lib/money';

/* Every word of the admins' purchases: orders that were placed together. */

const lines = (count: number) => (count === 1 ? '1 line' : `${formatCount(count)} lines`);

const states: Record<PurchaseState, string> = {
  waiting: 'Waiting for freight',
  unpaid: 'Not paid yet',
  paid: 'Paid',
  cancelled: 'Canceled',
};

export const messages = {
  heading: 'Purchases',
  intro: 'Orders that were placed together, under one number and one PO number.',
  labels: ['purchase', 'purchases'],
  search: 'Number, PO number, customer or part number',
  filter: 'Status',
  all: 'All',
  states,
  caption: 'Purchases',
  loading: 'Loading purchases',
  empty: 'No purchases yet',
  emptyHint: 'Orders of several parts that are placed together appear here.',
  columns: {
    number: 'Purchase',
    customer: 'Customer',
    po: 'PO number',
    lines: 'Lines',
    due: 'Due',
    state: 'Status',
  },
  name: (number: string) => `Purchase ${number}`,
  none: '–',
  linesOf: (standing: number, all: number) =>
    standing === all ? lines(all) : `${formatCount(standing)} of ${lines(all)}`,
  shipped: (count: number) => `${formatCount(count)} shipped`,
  slips: (count: number) =>
    count === 1 ? 'Print 1 packing slip' : `Print ${formatCount(count)} packing slips`,
  slipsFailed: (why: string) => `We couldn't get the packing slips. ${why}`,
  open: 'Freight to be set',
  back: 'All purchases',
  oneLoading: 'Loading purchase',
  oneFailed: "We couldn't load this purchase",
  notFound: "We can't find that purchase",
  notFoundHint: 'Check its number, or search the list.',
  placed: 'Placed',
  contact: 'Contact',
  phone: 'Phone',
  email: 'Email',
  address: 'Ship to',
  poNumber: 'PO number',
  note: 'Note',
  terms: 'Terms',
  termsOf: { card: 'Card', account: 'On account' } as Record<string, string>,
  method: 'Shipping method',
  reserved: 'Reserved until',
  facts: 'Facts',
  sums: 'Total',
  goods: 'Goods',
  shipping: 'Freight',
  tax: 'Tax',
  taxOf: (name: string, percent: string) => `${name} ${percent}`,
  due: 'Due',
  lineCaption: 'Lines',
  lineColumns: {
    line: 'Line',
    part: 'Part',
    quantity: 'Quantity',
    unit: 'Unit price',
    price: 'Price',
    state: 'Status',
  },
  lineStates: {
    cancelled: 'Canceled',
    shipped: 'Shipped',
    paid: 'Ready to ship',
    unpaid: 'Not paid yet',
  },
  refunded: (dollars: number) => `${formatMoney(dollars)} refunded`,
  order: 'Order',
  freight: {
    heading: 'Set the freight',
    hint: 'The customer gets an email with the total, and can pay then.',
    price: 'Freight in dollars',
    required: 'Freight is required',
    save: 'Set freight',
    done: (dollars: number) => `Freight set to ${formatMoney(dollars)}`,
  },
  ship: {
    button: (count: number) => `Ship ${lines(count)}`,
    title: 'Ship this purchase',
    question: (count: number, name: string) => `Ship ${lines(count)} to ${name}?`,
    note: 'All paid lines that have not shipped yet. The customer gets an email.',
    done: (count: number) => `${lines(count)} shipped`,
    partly: (shipped: number, refused: number, why: string) =>
      `${lines(shipped)} shipped, ${formatCount(refused)} not. ${why}`,
  },
  documents: 'Documents',
} as const;
