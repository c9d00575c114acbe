import { formatCount } from '@/lib/money';

/* Every word of orders that a person reads. What the specification fixes, letter by letter, is marked. */

/** An order in short, as `50 × Brake disc`. */
const what = (quantity: number, name: string) => `${formatCount(quantity)} × ${name}`;

const units = (count: number) => (count === 1 ? '1 unit' : `${formatCount(count)} units`);

export const messages = {
  sum: what,
  status: {
    shipped: 'Shipped', // spec
    pending: 'Pending Approval', // spec
    unpaid: 'Not Paid yet', // spec
    canceled: 'Canceled',
  },
  payment: {
    paid: 'Paid', // spec
    unpaid: 'Unpaid',
    refunded: 'Refunded',
  },
  facts: {
    name: 'Name',
    phone: 'Phone',
    email: 'Email',
    address: 'Address',
    category: 'Category',
    details: 'Details',
    quantity: 'Quantity',
    price: 'Price',
    unitPrice: 'Unit price',
    payment: 'Payment',
    transaction: 'Transaction id',
    partNumber: 'Part number',
    vehicle: 'For vehicle',
    number: 'Order number',
    id: 'Order id',
  },
  fit: {
    yes: 'Fits',
    universal: 'Fits all vehicles',
    no: 'Does not fit',
    unknown: 'No vehicle list from the maker',
    ask: 'Depends on the engine',
    if: 'Fits under a condition',
    confirmed: (condition: string) => `Confirmed: ${condition}`,
    open: (condition: string) => `Not confirmed: ${condition}`,
  },
  placed: {
    order: (number: string) => `Order ${number}`,
    part: (number: string) => `Part ${number}`,
    onAccount: "Too large to pay by card. We'll ship it on account once we've approved it.",
    reservedUntil: 'Reserved until',
    elseCanceled: (payableByCard: boolean) =>
      `If it isn't ${payableByCard ? 'paid' : 'approved'} by then, it will be canceled.`,
  },
  actions: {
    payNow: 'Pay Now', // spec
    payment: 'Payment', // spec
    forPart: (name: string) => `for ${name}`,
    again: 'Order again',
    purchase: 'View the whole purchase',
    cancel: 'Cancel order', // spec
    delete: 'Delete Order', // spec
  },
  cancel: {
    question: 'Are you sure\nYou want to delete this order..!?', // spec
    note: (number: string, quantity: number, part: string) =>
      `Order ${number}: ${what(quantity, part)}`,
    locked: {
      paid: "Paid orders can't be canceled. Contact us for a refund.",
      shipped: "Shipped orders can't be canceled.",
    },
    lockedForAdmin: {
      paid: "Paid orders can't be deleted. Refund this one instead.",
      shipped: "Shipped orders can't be deleted.",
    },
    done: (quantity: number, name: string) =>
      `Order canceled: ${what(quantity, name)}. The stock has been released and nothing was charged.`,
  },
  list: {
    tableHeading: (count: string | null) => (count === null ? 'My Orders' : `My Orders: ${count}`), // spec
    cardsHeading: 'My Order', // spec
    caption: 'My orders',
    columns: {
      place: 'No.', // spec
      name: 'Name', // spec
      product: 'Product Name', // spec
      quantity: 'Quantity', // spec
      price: 'Price', // spec
      payment: 'Payment', // spec
      status: 'Status', // spec
    },
    card: (name: string) => `Order: ${name}`,
    views: 'Orders shown',
    view: { standing: 'Active', refunded: 'Refunded', cancelled: 'Canceled' },
    emptyView: { refunded: 'No refunded orders', cancelled: 'No canceled orders' },
    emptyViewHint: {
      refunded: "If we refund an order, you'll find it here.",
      cancelled: 'Orders you cancel, and unpaid ones that expire, will appear here.',
    },
    loading: 'Loading orders',
    failed: "We couldn't load your orders",
    empty: 'No orders yet',
    emptyTable: 'Your orders will appear here, with payment and shipping status.',
    emptyCards: 'When you place an order, you can track and pay for it here.',
    shop: 'Go to the shop',
    sessionOver: 'Your session has expired. Please log in again.',
  },
  page: {
    title: (name: string) => `Order: ${name}`,
    heading: 'Order',
    mine: 'My orders',
    all: 'Orders',
    loading: 'Loading order',
    failed: "We couldn't load this order",
    notFound: "We can't find that order",
    notFoundHint: 'Check the link, or log in with the account that placed it.',
    canceled: 'This order was canceled',
    canceledHint: 'The stock has been released. The history of this order is below.',
    shop: 'Go to the shop',
  },
  history: {
    heading: 'History',
    loading: 'Loading history',
    failed: "We couldn't load the history",
    pending: 'Pending',
    by: (who: string | null) => `by ${who ?? 'you'}`,
  },
  events: {
    ordered: (quantity: number, total: string) => `Ordered: ${formatCount(quantity)} for ${total}`,
    orderedOnly: 'Ordered',
    freightSet: 'Freight cost set',
    paid: 'Paid',
    paidWith: (transaction: string) => `Paid, transaction ${transaction}`,
    shipped: 'Shipped',
    shippedOnAccount: 'Shipped on account (payment due)',
    partShipped: (quantity: number) => `${units(quantity)} shipped, the rest is to come`,
    canceled: 'Canceled',
    refunded: 'Refunded',
    partlyRefunded: (amount: string | null) =>
      amount === null ? 'Partly refunded' : `${amount} refunded`,
    refundFailed: (amount: string | null) =>
      `Refund${amount === null ? '' : ` of ${amount}`} failed. We'll send it again.`,
    overpaid: (amount: string | null) =>
      `Paid twice. ${amount === null ? 'The second payment' : amount} is being refunded.`,
    disputed: 'Payment disputed with the bank',
    disputeWon: 'Dispute closed: the payment is ours to keep',
    disputeLost: 'Dispute closed: the bank returned the payment',
    returnRequested: (quantity: number) => `Return of ${units(quantity)} requested`,
    returnAccepted: (quantity: number, amount: string | null) =>
      `Return of ${units(quantity)} accepted${amount === null ? '' : `, ${amount} to be refunded`}`,
    returnDeclined: (quantity: number, answer: string) =>
      `Return of ${units(quantity)} declined: ${answer}`,
  },
} as const;
