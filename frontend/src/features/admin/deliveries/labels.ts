import type { DeliveryState, DeliveryTopic } from '@/api/types';

/** The topics as a reader knows them. */
export const topicLabels: Record<DeliveryTopic, string> = {
  'order.ordered': 'Order placed',
  'order.paid': 'Order paid',
  'order.shipped': 'Order shipped',
  'order.cancelled': 'Order cancelled',
  'order.refunded': 'Order refunded',
  'order.reminder': 'Payment reminder',
  'order.lapsed': 'Order not paid in time',
  'order.released': 'Unpaid order cancelled by us',
  'account.verify': 'Address to be confirmed',
  'account.reset': 'Password to be replaced',
  'account.google_confirm': 'Google sign-in to be confirmed',
  'account.password_set': 'Password was set',
  'account.password_changed': 'Password was changed',
  'account.google_linked': 'Google was added',
  'account.google_unlinked': 'Google was removed',
  'account.taken_over': 'Account was taken over',
  'account.deleted': 'Account was deleted',
  'account.role_given': 'Admin role given',
  'account.role_taken': 'Admin role taken back',
  'account.admin_added': 'New admin',
  'webhook.disabled': 'Webhook was disabled',
};

/** The events that a webhook can subscribe to. */
export const orderTopics = [
  'order.ordered',
  'order.paid',
  'order.shipped',
  'order.cancelled',
  'order.refunded',
] as const satisfies readonly DeliveryTopic[];

export const stateLabels: Record<DeliveryState, string> = {
  waiting: 'Waiting',
  sent: 'Sent',
  dead: 'Given up',
};

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/** `2026-03-01T10:00:00Z` is `Mar 1, 2026, 10:00 AM`, in the reader's own time zone: short enough for a column. */
export function formatTime(time: string): string {
  return moment.format(new Date(time));
}

/** How many of a list are shown; the rest is only counted. */
export const SHOWN = 50;
