import type { DeliveryTopic } from '@/api/types';

/** The events that a webhook can subscribe to. */
export const orderTopics = [
  'order.ordered',
  'order.paid',
  'order.shipped',
  'order.cancelled',
  'order.refunded',
] as const satisfies readonly DeliveryTopic[];

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/** `2026-03-01T10:00:00Z` is `Mar 1, 2026, 10:00 AM`, in the reader's own time zone: short enough for a column. */
export function formatTime(time: string): string {
  return moment.format(new Date(time));
}

/** How many of a list are shown; the rest is only counted. */
export const SHOWN = 50;
