import { formatCount } from '@/lib/money';

/* What Home says to whoever is logged in, above the deals. It is loaded with that part alone. */

export const homeMessages = {
  failed: "We couldn't load your orders.",
  retry: 'Try again',
  unpaid: {
    heading: 'To pay',
    count: (orders: number) =>
      orders === 1 ? '1 unpaid order' : `${formatCount(orders)} unpaid orders`,
    pay: 'Pay now',
    all: 'View unpaid orders',
    none: 'Nothing to pay. Thank you!',
    orders: 'My orders',
  },
  again: {
    heading: 'Order again',
    units: (count: number) => `${formatCount(count)} units`,
    none: 'Parts you order will appear here, so you can order them again in one step.',
  },
  viewed: {
    heading: 'Recently viewed',
    none: 'Parts you look at will appear here.',
  },
} as const;
