/* Every word of the command palette, but for the names of screens, which are those of menus. */

export const messages = {
  search: 'Search',
  admin: 'Screen, action, order, part or person',
  customer: 'Screen, action, part or one of your orders',
  visitor: 'Screen or part',
  results: 'Results',
  count: (count: number) => (count === 1 ? '1 result' : `${count} results`),
  searching: 'Searching…',
  nothing: (search: string) => `Nothing found for “${search}”`,
  nothingHint: 'Check the spelling or try fewer words.',
  failed: "We couldn't search everything.",
  retry: 'Try again',
  keys: [
    { key: '↑ ↓', does: 'choose' },
    { key: 'Enter', does: 'open' },
    { key: 'Esc', does: 'close' },
  ],
  groups: {
    recent: 'Recent',
    actions: 'On this page',
    screens: 'Go to',
    orders: 'Orders',
    mine: 'Your orders',
    parts: 'Parts',
    people: 'People',
    more: 'Search everywhere',
  },
  /** Told apart by who ordered it, or by the day. */
  order: (quantity: string, part: string, by: string) => `${quantity} × ${part}, ${by}`,
  ordersView: (view: string) => `Orders: ${view}`,
  inShop: (search: string) => `Search the shop for “${search}”`,
  inOrders: (search: string) => `Search all orders for “${search}”`,
  inPeople: (search: string) => `Search all accounts for “${search}”`,
} as const;
