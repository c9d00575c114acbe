import type { DeliveryTopic } from '@/api/types';

/** The events that a webhook can subscribe to. */
export const orderTopics = [
  'order.ordered',
  'order.paid',
  'order.shipped',
  'order.cancelled',
  'order.refunded',
  'checkout.placed',
  'checkout.paid',
] as const satisfies readonly DeliveryTopic[];

/** How many of a list are shown; the rest is only counted. */
export const SHOWN = 50;
