import type { OrderSort } from '@/api/types';
import { formatCount } from '@/lib/money';

/* Every word of the admins' orders that a person reads. What the specification fixes, letter by letter, is marked. */

const orders = (count: number) => (count === 1 ? '1 order' : `${formatCount(count)} orders`);

const sorts: Record<OrderSort, string> = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  price: 'Price: low to high',
  '-price': 'Price: high to low',
};

export const messages = {
  labels: ['order', 'orders'],
  search: 'Customer, product, part number, PO or order number',
  filter: 'Show',
  sorts,
  states: {
    unfiltered: 'Active',
    ready: 'Ready to ship',
    waiting: 'Pending Approval', // spec
    shipped: 'Shipped', // spec
    unpaid: 'Not Paid yet', // spec
    reserved: 'Awaiting payment',
    refunded: 'Refunded',
    cancelled: 'Canceled',
    all: 'All',
  },
  views: {
    label: 'Views',
    names: {
      unfiltered: 'Active',
      ready: 'Ready to ship',
      waiting: 'To approve',
      unpaid: 'Unpaid',
      reserved: 'Awaiting payment',
      shipped: 'Shipped',
      refunded: 'Refunded',
      cancelled: 'Canceled',
      all: 'All',
    },
    attention: 'Needs attention',
  },
  loading: 'Loading orders',
  cards: {
    heading: (total: number | undefined) => {
      if (total === undefined) return 'Orders';
      return total === 0 ? 'No Orders Yet' : `Total Orders: ${formatCount(total)}`; // spec
    },
    card: (part: string, customer: string) => `Order: ${part}, ${customer}`,
    empty: 'No orders to ship',
    emptyHint: 'New orders appear here for approval.',
  },
  table: {
    heading: (total: number | undefined) =>
      total === undefined ? 'My Orders' : `My Orders: ${formatCount(total)}`, // spec
    caption: 'All orders',
    empty: 'No Orders Yet',
    emptyHint: 'Customer orders will appear here.',
  },
  done: {
    shipped: 'Product Shipped...!!!', // spec
    deleted: 'Order deleted',
    refunded: 'Order refunded',
    partlyRefunded: 'Refund sent',
  },
  ordersOfCustomer: 'Orders of this customer',
  customer: 'View customer',
  doneTo: (quantity: number, part: string, customer: string) =>
    `${formatCount(quantity)} × ${part}, ${customer}`,
  ship: {
    title: 'Approve Booking', // spec
    approve: 'Approve Booking', // spec
    shipped: 'Shipped', // spec
    question: 'Ship This Boat..!?', // spec
    note: (quantity: number, part: string, customer: string, address: string) =>
      `${formatCount(quantity)} × ${part}, for ${customer}, ${address}.`,
    onAccount: "This order hasn't been paid. Ship it on account? The customer can still pay later.",
  },
  shipMany: {
    select: (number: string) => `Select order ${number}`,
    selectAll: 'Select all on this page',
    clear: 'Clear selection',
    cancel: 'Cancel',
    button: (count: number) => `Ship ${orders(count)}`,
    question: (count: number) => `Ship ${count === 1 ? 'this order' : `these ${orders(count)}`}?`,
    line: (number: string, quantity: number, part: string, customer: string) =>
      `${number}: ${formatCount(quantity)} × ${part}, for ${customer}`,
    unpaid: (unpaid: number, all: number) => {
      const subject = unpaid === all ? 'None' : formatCount(unpaid);
      const has = unpaid === all ? 'has' : unpaid === 1 ? "hasn't" : "haven't";
      const fact = all === 1 ? "It hasn't been paid." : `${subject} of them ${has} been paid.`;
      return `${fact} Unpaid orders ship on account; customers can still pay later.`;
    },
    progressLabel: 'Orders shipped',
    progress: (finished: number, all: number) =>
      `Shipping… ${formatCount(finished)} of ${formatCount(all)}`,
    done: (count: number) => `${orders(count)} shipped.`,
    refused: (count: number) => `We couldn't ship ${orders(count)}:`,
    refusal: (number: string, customer: string, reason: string) =>
      `${number}, ${customer}: ${reason}`,
  },
  keys: {
    title: 'Keyboard shortcuts',
    palette: 'Search and go anywhere',
    enabled: 'Use these shortcuts',
    list: [
      { key: 'J', does: 'Next order' },
      { key: 'K', does: 'Previous order' },
      { key: 'Enter', does: 'Open the order' },
      { key: 'X', does: 'Select the order' },
      { key: 'A', does: 'Select all on this page, or none' },
      { key: 'S', does: 'Ship the order, or all selected ones; Enter confirms' },
      { key: '?', does: 'Show this help' },
    ],
  },
  refund: {
    button: 'Refund',
    question: 'Refund and cancel this order?',
    note: (amount: string, customer: string, quantity: number) =>
      `${amount} will be refunded to ${customer} and ${formatCount(quantity)} units returned to stock.`,
  },
  partialRefund: {
    button: 'Partial refund',
    of: (part: string) => `of ${part}`,
    explain: (customer: string, amount: string) =>
      `${customer} paid ${amount}. The order itself doesn't change.`,
    amount: 'Amount (USD)',
    reason: 'Reason',
    reasonHint: 'Optional, for your records.',
    send: 'Send refund',
    amountNumber: 'Enter an amount',
    amountRequired: 'Amount is required',
    amountTooLow: 'Enter $0.01 or more',
    amountTooHigh: (most: string) => `Enter ${most} or less`,
    amountDecimals: 'Use at most two decimals',
    reasonTooLong: 'Use at most 500 characters',
  },
} as const;
