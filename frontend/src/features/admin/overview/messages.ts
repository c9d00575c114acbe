import { formatCount } from '@/lib/money';

/* Every word of the overview that a person reads. */

const orders = (count: number) => (count === 1 ? '1 order' : `${formatCount(count)} orders`);
const lastDays = (days: number) => `in the last ${formatCount(days)} days`;

/** What the bars show, in one sentence. All amounts and days come as text. */
interface Bars {
  days: number;
  first: string;
  last: string;
  total: string;
  bestDay: string;
  best: string;
}

export const messages = {
  heading: 'Overview',
  loading: 'Loading the overview',
  failed: "We couldn't load the overview",
  period: 'Period',
  periods: { 7: '7 days', 30: '30 days', 90: '90 days' },
  reviews: 'Manage reviews',
  noSlips:
    "Search doesn't forgive typos: the database has no pg_trgm extension. Ask your administrator to add it.",
  /** Of the search engine; `seconds` is more than a minute. */
  searchLate: (changes: number, seconds: number) =>
    `The search engine is ${formatCount(Math.round(seconds / 60))} min behind: it lacks ${changes >= 10_000 ? '10,000 or more' : formatCount(changes)} changes. Prices and stock are always current.`,
  searchMissing: "The search engine isn't ready. Until it is, parts are searched in the database.",
  figures: {
    revenue: 'Revenue',
    revenueNote: (days: number, returned: string | null) =>
      returned === null
        ? `paid ${lastDays(days)}`
        : `after ${returned} in refunds, ${lastDays(days)}`,
    orders: 'Orders',
    ordersNote: (days: number) => `placed ${lastDays(days)}`,
    average: 'Average order',
    averageNote: (days: number) => `revenue per order ${lastDays(days)}`,
    noAverage: '–',
    changed: (percent: number) =>
      percent === 0
        ? 'Same as the period before'
        : `${formatCount(Math.abs(percent))}% ${percent > 0 ? 'more' : 'less'} than the period before`,
    waiting: 'Pending Approval',
    waitingLink: 'Review',
    unpaid: 'Not Paid yet',
    unpaidLink: 'View unpaid',
    lowStock: 'Low stock',
    lowStockLink: 'View low stock',
    tenOrMore: '10+',
  },
  chart: {
    showAs: (title: string) => `Show ${title} as`,
    chart: 'Chart',
    table: 'Table',
  },
  revenue: {
    title: 'Revenue by day',
    note: 'Goods and freight without tax, by payment date (UTC), net of refunds',
    orders,
    refunded: (amount: string) => `${amount} refunded`,
    day: 'Day',
    figures: (amount: string, count: number) => `${amount} from ${orders(count)}`,
    noBars: 'Revenue by day.',
    bars: ({ days, first, last, total, bestDay, best }: Bars) =>
      `Bar chart of revenue for ${formatCount(days)} days, ${first} to ${last}: ${total} in total. ` +
      `Best day: ${bestDay} with ${best}.`,
    empty: 'No sales yet',
    emptyHint: (days: number) => `No payments ${lastDays(days)}.`,
    columns: ['Day', 'Orders', 'Paid', 'Refunded', 'Revenue'],
  },
  states: {
    title: 'Order status',
    note: (count: number) =>
      count === 1 ? '1 active order' : `${formatCount(count)} active orders`,
    approval: 'Approval',
    payment: 'Payment',
    waiting: 'Pending Approval',
    shipped: 'Shipped',
    unpaid: 'Not Paid yet',
    paid: 'Paid',
    share: (label: string, count: number, percent: string) =>
      `${label} ${formatCount(count)}, ${percent}`,
    shares: (title: string, shares: readonly string[]) => `${title}: ${shares.join('; ')}.`,
    empty: "No orders yet. They'll show up here.",
    columns: ['Status', 'Orders', 'Share'],
  },
  top: {
    products: 'Top products',
    customers: 'Top customers',
    note: (days: number) => `By sales from orders placed ${lastDays(days)}, net of refunds`,
    loadingProducts: 'Loading the top products',
    loadingCustomers: 'Loading the top customers',
    productsFailed: "We couldn't load the top products",
    customersFailed: "We couldn't load the top customers",
    units: (partNumber: string | null, units: number) =>
      `${partNumber === null ? '' : `${partNumber} · `}${formatCount(units)} units in `,
    email: (email: string) => `${email} · `,
    orders,
    ordersOf: (name: string) => `of ${name}`,
    noneBefore: 'No sales in the period before',
    empty: 'No sales in this period.',
  },
  categories: {
    title: 'Sales by category',
    loading: 'Loading the sales by category',
    failed: "We couldn't load the sales by category",
    empty: 'No sales in this period.',
    columns: ['Category', 'Orders', 'Units', 'Sales', 'Period before'],
    note: (days: number) =>
      `Goods and freight without tax, from orders placed ${lastDays(days)}, net of refunds`,
  },
  exports: {
    title: 'Download as CSV',
    day: 'Revenue by day',
    category: 'Sales by category',
    customer: 'Sales by customer',
    failed: (reason: string) => `The file wasn't saved. ${reason}`,
  },
  payments: {
    title: 'Payments',
    note: (days: number) => `Orders placed ${lastDays(days)}, canceled ones included`,
    loading: 'Loading payments',
    failed: "We couldn't load the payments",
    share: (percent: number) => `${percent}% paid`,
    noShare: 'No orders',
    paid: (paid: number, placed: number) =>
      `${formatCount(paid)} of ${orders(placed)} placed, so far`,
    before: (percent: number) => `${percent}% in the period before`,
    noneBefore: 'No orders in the period before',
    unpaidTitle: 'Unpaid orders by age',
    ages: ['Today and yesterday', '2–7 days', '8–30 days', 'More than 30 days'],
    unpaid: (count: number) => `${orders(count)} not paid`,
    none: 'Every order is paid.',
  },
  latest: {
    title: 'Latest orders',
    all: 'All orders',
    empty: 'No orders yet.',
  },
  lowStock: {
    title: 'Low stock',
    note: 'Fewer than two minimum orders left, lowest first',
    left: (available: number, minimum: number) =>
      `${formatCount(available)} left, minimum order ${formatCount(minimum)}`,
    empty: 'All products are well stocked.',
  },
} as const;
