import { formatCount } from '@/lib/money';

/* Every word of shipments. */

const units = (count: number) => (count === 1 ? '1 unit' : `${formatCount(count)} units`);

export const messages = {
  heading: 'Shipments',
  loading: 'Loading shipments',
  failed: "We couldn't load the shipments",
  none: 'Nothing has shipped yet.',
  shipped: (count: number, all: number) =>
    count >= all ? `All ${units(all)} shipped` : `${formatCount(count)} of ${units(all)} shipped`,
  units,
  by: (carrier: string) => `with ${carrier}`,
  tracking: 'Tracking number',
  track: 'Track it',
  add: {
    button: 'Ship a part of it',
    of: (product: string) => `of ${product}`,
    title: 'Ship a part of this order',
    hint: (left: number) => `${units(left)} haven't shipped yet. The customer gets an email.`,
    quantity: 'Units',
    quantityWrong: 'Enter a whole number from 1',
    quantityMost: (left: number) => `Only ${units(left)} left to ship`,
    carrier: 'Carrier',
    carrierHint: 'Optional',
    trackingNumber: 'Tracking number',
    trackingHint: 'Optional. Paste it from the label.',
    trackingUrl: 'Tracking link',
    urlHint: 'Optional. We know the pages of UPS, FedEx, USPS and DHL.',
    urlWrong: 'Enter a link that begins with https://',
    long: (most: number) => `Use ${formatCount(most)} characters or fewer`,
    save: 'Ship units',
    cancel: 'Cancel',
    done: (count: number) => `${units(count)} shipped`,
  },
} as const;
