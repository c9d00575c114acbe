import type { ProductSort } from '@/api/types';
import { CARD_MAX, formatCount, formatMoney } from '@/lib/money';

/* Every word of the catalog's pages, so that they can be read at once. Those marked `spec` stay letter by letter. */

export const heroMessages = {
  heading: 'Aftermarket Turbocharger Specialist', // spec
  discover: 'Discover more', // spec
  turbos: 'Balanced cores, billet wheels, every gasket in the box. Minimum order: 50 units.',
  brakes: 'More boost needs bigger brakes. Discs, calipers and pads to match your build.',
  wheels: 'Wheels and tires that put the power down, shipped by the pallet.',
  label: 'Featured',
  slides: 'Slides',
  position: (place: number, count: number) => `${place} of ${count}`,
  previous: 'Previous slide',
  pause: 'Pause slides',
  play: 'Play slides',
  next: 'Next slide',
} as const;

export const benefitMessages = {
  label: 'Benefits',
  delivery: { title: 'Free delivery', text: 'For orders over $140' }, // spec
  support: {
    title: '24/7 customer support', // spec
    text: 'Talk to a parts specialist, day or night',
  },
  guarantee: { title: 'Money back guarantee', text: 'Within 30 days' }, // spec
  bulk: { title: 'Bulk pricing', text: 'Order from 50 units' },
} as const;

export const homeMessages = {
  continueWith: (part: string) => `Continue with ${part} →`,
  loading: 'Loading…',
  yours: 'Your orders and parts',
  seeMore: 'SEE MORE', // spec
  shopNow: 'SHOP NOW', // spec
  deals: {
    heading: 'Top Hot Deals', // spec
    more: 'deals',
    loading: 'Loading deals',
    failed: "We couldn't load today's deals",
    about: 'About us',
  },
  offers: {
    label: 'Offers',
    brakes: {
      title: 'Stop shorter',
      text: 'Vented discs, calipers and pads, boxed in axle sets.',
      what: 'brake parts',
    },
    tires: {
      title: 'Grip for the whole fleet',
      text: 'All-season tires in bulk: one price, one delivery, every size you run.',
      what: 'tires',
    },
  },
  delivery: {
    label: 'Delivery',
    text: 'Free delivery on every order over $140',
  },
  turbos: {
    title: 'More boost. No guesswork.',
    text: "Turbochargers with every gasket, bolt and line in the box. If it doesn't fit, send it back within 30 days.",
    what: 'turbochargers',
  },
  categories: {
    heading: 'Top Categories', // spec
    more: 'categories',
  },
  reviews: {
    heading: 'Our customers reviews', // spec
    empty: 'No reviews yet',
    beFirst: 'Bought from us? Be the first to leave a review.',
    add: 'Add Review', // spec
    failed: "We couldn't load the reviews",
    loading: 'Loading reviews',
  },
  statistics: {
    label: 'Statistics',
    // spec: fixed text
    purchases: { label: 'Total Purchases', value: '25.6K', note: null },
    views: { label: 'Page Views', value: '2.6M', note: null },
    shipping: { label: 'Shipping done', value: '86%', note: '31 shipping remaining' },
  },
} as const;

/** Whose a review is, and those of a part on its page. */
export const reviewMessages = {
  heading: 'Reviews',
  average: (stars: number, count: number) =>
    `${stars} out of 5 · ${count === 1 ? '1 review' : `${formatCount(count)} reviews`}`,
  write: 'Review this part',
  none: 'No reviews yet. Be the first to review this part.',
  more: 'Show more reviews',
  failed: "We couldn't load the reviews",
  loading: 'Loading reviews',
  verified: 'Verified buyer',
  signed: (name: string) => `Signed "${name}"`,
} as const;

/** What Home and Shop say where there is no product at all. */
export const emptyMessages = {
  title: 'New stock coming soon',
  text: 'We have nothing in stock right now. Please check back soon.',
} as const;

export const cardMessages = {
  minimum: 'Minimum Order', // spec
  available: 'Available Quantity', // spec
  price: 'Price', // spec
  purchase: 'Purchase', // spec
  partNumber: 'Part number',
  units: (available: string) => `${available} in stock`,
  from: (minimum: string) => `from ${minimum} units`,
  byQuantity: 'Price by quantity',
  fromPrice: (dollars: number) => `from ${formatMoney(dollars)}`,
} as const;

export const stockMessages = {
  in: 'In stock',
  low: 'Low stock',
  short: 'Not enough stock to order',
  soldOut: 'Sold out',
  whySoldOut: (minimum: number) => `Sold out. The minimum order is ${formatCount(minimum)} units.`,
  whyShort: (left: number, minimum: number) =>
    `Only ${formatCount(left)} left; the minimum order is ${formatCount(minimum)}.`,
} as const;

/** Every order in which products come. */
export const sortMessages: Record<ProductSort, string> = {
  newest: 'Newest',
  price: 'Price: low to high',
  '-price': 'Price: high to low',
  name: 'Name',
};

export const shopMessages = {
  heading: 'All available Deals', // spec
  filters: 'Find parts',
  skip: 'Skip to results',
  search: 'Search',
  placeholder: 'Name, category or part number',
  sortBy: 'Sort by',
  inStock: 'Ready to order',
  inStockHint: 'Only parts with enough stock for a minimum order',
  view: 'View',
  grid: 'Grid',
  list: 'List',
  category: 'Category',
  all: 'All',
  products: 'Products',
  loading: 'Loading products',
  failed: "We couldn't load the parts",
  moreFailed: "We couldn't load more parts. Try again.",
  showMore: 'Show more',
  noMatch: (search: string) =>
    search ? `No parts match "${search}"` : 'No parts match these filters',
  noMatchHint: 'Check the spelling, try fewer words, or clear the filters.',
  clear: 'Clear filters',
  count: (shown: number, total: number) => {
    const parts = total === 1 ? '1 part' : `${formatCount(total)} parts`;
    return shown < total ? `Showing ${formatCount(shown)} of ${parts}` : parts;
  },
} as const;

export const productMessages = {
  title: 'Product',
  price: 'Price', // spec
  each: 'each',
  partNumber: 'Part number',
  category: 'Category', // spec
  minimum: 'Minimum order quantity', // spec
  available: 'Available quantity', // spec
  details: 'Details', // spec
  purchase: 'Purchase',
  buy: 'Order this part',
  back: 'Back to results',
  quantity: 'Quantity',
  usual: 'Usual quantities',
  remove: (units: number) => `Remove ${units}`,
  add: (units: number) => `Add ${units}`,
  total: 'Total',
  soldOut: 'Sold out',
  notEnough: 'Not enough stock',
  rule: (minimum: number, dollars: number, available: number) =>
    `Minimum order ${formatCount(minimum)} units (${formatMoney(dollars)}) · ${formatCount(available)} in stock`,
  placed: 'Product added to my order', // spec
  placedSum: (quantity: number, name: string, dollars: number) =>
    `${formatCount(quantity)} × ${name}, ${formatMoney(dollars)}.`,
  payNow: 'Pay now',
  myOrders: 'My orders',
  gone: 'This product is no longer available',
  goneHint: 'It may have been discontinued. Browse the shop for current parts.',
  shop: 'Go to the shop',
  failed: "We couldn't load this product",
  pictures: 'Pictures',
  picture: (name: string, place: number, all: number) =>
    all === 1 ? name : `${name}, picture ${place} of ${all}`,
  place: (place: number, all: number) => `Picture ${place} of ${all}`,
  zoom: 'Zoom',
  zooming: (name: string) => `Pictures of ${name}`,
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  zoomFailed: "We couldn't enlarge the picture. Try again.",
  nextPicture: 'Next picture',
  previousPicture: 'Previous picture',
  closePicture: 'Close',
  turn: 'Turn it',
  turning: (name: string) => `Turn ${name}`,
  turned: (degrees: number) => `${degrees}°`,
  turnLeft: 'Turn left',
  turnRight: 'Turn right',
  turnEnd: 'Back to the picture',
  turnFailed: "We couldn't load the other sides. Try again.",
} as const;

const most = (characters: number) => `Use ${characters} characters or fewer`;

export const billingMessages = {
  title: 'Billing Details', // spec
  name: 'Name',
  nameRequired: 'Name is required', // spec
  email: 'Email',
  emailHint: 'Your account email',
  phone: 'Phone',
  phoneRequired: 'Phone is required',
  address: 'Address',
  addressRequired: 'Address is required',
  most,
  quantity: 'Quantity',
  quantityRule: (minimum: number, available: number) =>
    `Minimum ${formatCount(minimum)} · ${formatCount(available)} in stock`,
  price: 'Price',
  each: (dollars: number) => `${formatMoney(dollars)} each`,
  cancel: 'Cancel',
  order: (quantity: number, dollars: number) =>
    `Order ${formatCount(quantity)} for ${formatMoney(dollars)}`,
  filledIn: "We've filled this in from your previous order. Please review it.",
  phoneFilledIn: "We've filled in the phone from your profile. Please check it.",
  phoneDoubt: 'This looks too short for a phone number. Please check it.',
  addressDoubt: 'Please check the address: street and number, city and ZIP code.',
  agree: 'By ordering, you agree to our',
  terms: 'terms of sale',
  signedOut:
    "You were signed out, so the order wasn't placed. Your details are still here: review them and order again.",
  sessionEnded:
    'You were signed out before your order went through. Nothing was ordered. Log in again and your details will still be here.',
  signIn: 'Log in again',
  noAnswer: "We haven't heard back yet, so we don't know whether your order went through.",
  safeToRetry: (quantity: number, dollars: number) =>
    `It's safe to try again: your order of ${formatCount(quantity)} for ${formatMoney(dollars)} won't be placed twice.`,
  retry: 'Try again',
  priceChanged: (unitPrice: number, quantity: number, dollars: number) =>
    `The price has changed to ${formatMoney(unitPrice)} each. Your new total for ${formatCount(quantity)} is ${formatMoney(dollars)}. You haven't ordered yet.`,
  orderAt: (dollars: number) => `Order at ${formatMoney(dollars)}`,
  quantityLowered: (left: number, quantity: number) =>
    `Only ${formatCount(left)} left. We've changed your quantity to ${formatCount(quantity)}; you haven't ordered yet.`,
  nothingOrdered: (reason: string) => `${reason} Nothing was ordered.`,
  tooMuchForCard: `Cards can pay up to ${formatMoney(CARD_MAX)}. We'll approve this order, ship it on account and bill you.`,
} as const;

/** What a product is added with, on the form of the admins. `subject` begins the field's messages. */
export const attributeMessages = {
  name: { label: 'Product Name', subject: 'Product name' }, // spec
  description: { label: 'Description', subject: 'Description' }, // spec
  category: { label: 'Category', subject: 'Category' }, // spec
  partNumber: { label: 'Part number', subject: 'Part number', hint: 'Optional' },
  price: { label: 'Price per Product', subject: 'Price', hint: 'US dollars per unit' }, // spec
  availableQty: {
    label: 'Available Quantity', // spec
    subject: 'Available quantity',
    hint: 'Units in stock',
  },
  minOrder: {
    label: 'Minimum Order', // spec
    subject: 'Minimum order',
    hint: 'Anything below 50 is saved as 50',
  },
} as const;
