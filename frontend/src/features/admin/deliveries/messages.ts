import type { DeliveryState, DeliveryTopic } from '@/api/types';
import { formatCount } from '@/lib/money';

/* Every word of the email and webhook log that a person reads. */

const topics: Record<DeliveryTopic, string> = {
  'order.ordered': 'Order placed',
  'order.paid': 'Order paid',
  'order.shipped': 'Order shipped',
  'order.part_shipped': 'Part of order shipped',
  'order.cancelled': 'Order canceled',
  'order.refunded': 'Order refunded',
  'order.return_accepted': 'Return accepted',
  'order.return_declined': 'Return declined',
  'order.reminder': 'Payment reminder',
  'order.lapsed': 'Order expired unpaid',
  'order.released': 'Unpaid order canceled by us',
  'account.verify': 'Email verification',
  'account.reset': 'Password reset',
  'account.google_confirm': 'Google sign-in confirmation',
  'account.password_set': 'Password added',
  'account.password_changed': 'Password changed',
  'account.google_linked': 'Google sign-in added',
  'account.google_unlinked': 'Google sign-in removed',
  'account.taken_over': 'Account reclaimed',
  'account.deleted': 'Account deleted',
  'account.role_given': 'Admin access granted',
  'account.role_taken': 'Admin access removed',
  'account.admin_added': 'New admin',
  'webhook.disabled': 'Webhook disabled',
};

const states: Record<DeliveryState, string> = { waiting: 'Waiting', sent: 'Sent', dead: 'Failed' };

export const messages = {
  heading: 'Email & webhooks',
  states,
  topics,
  latest: (shown: number, total: number) =>
    `Showing the latest ${formatCount(shown)} of ${formatCount(total)}.`,
  retry: 'Retry',
  retryAll: 'Retry all',
  retryAllTo: (url: string) => `to ${url}`,
  retrying: 'Retrying now.',
  retryingAll: (count: number) =>
    count === 1 ? 'Retrying 1 message.' : `Retrying ${formatCount(count)} messages.`,
  failed: {
    heading: 'Failed messages',
    caption: 'Emails and webhook calls that failed',
    columns: { message: 'Message', recipient: 'Recipient', error: 'Error', actions: 'Actions' },
    order: 'View order',
    webhook: 'Webhook',
    tries: (count: number) => (count === 1 ? 'Tried once' : `Tried ${formatCount(count)} times`),
    loading: 'Loading failed messages',
    loadFailed: "We couldn't load the failed messages",
    empty: 'No failed messages',
    emptyHint: "Emails and webhook calls that can't be delivered will appear here.",
  },
  webhooks: {
    heading: 'Webhooks',
    columns: { url: 'Endpoint URL', events: 'Events', actions: 'Actions' },
    since: 'Since',
    loading: 'Loading webhooks',
    loadFailed: "We couldn't load the webhooks",
    empty: 'No webhooks yet',
    emptyHint: 'Add an endpoint above to be notified about orders.',
    disabled: 'Disabled',
    failing: 'Failing',
    failingHint: "We'll disable it after three days.",
    log: 'Log',
    logOf: (url: string) => `of ${url}`,
    delete: 'Delete',
    deleteTitle: 'Delete webhook',
    deleteQuestion: (url: string) => `Are you sure you want to delete ${url}?`,
    deleteNote: 'It will stop receiving events and its log will be deleted.',
  },
  add: {
    url: 'Endpoint URL',
    urlHint: "A public https:// URL. We'll send signed JSON.",
    urlRequired: 'Endpoint URL is required',
    urlFormat: 'Enter a URL that starts with https://',
    urlTooLong: 'Use at most 2,000 characters',
    events: 'Events',
    eventsRequired: 'Choose at least one event',
    submit: 'Add webhook',
  },
  secret: {
    title: 'Webhook added',
    explain: (url: string) =>
      `Use this secret to verify calls to ${url}. Copy it now; you won't be able to see it again.`,
    label: 'Secret',
    copy: 'Copy secret',
    copied: 'Copied',
    copyByHand: 'Select the secret and copy it by hand.',
  },
  log: {
    title: 'Delivery log',
    caption: 'Delivery log',
    columns: { when: 'When', event: 'Event', tries: 'Tries', result: 'Result' },
    loading: 'Loading the log',
    loadFailed: "We couldn't load the log",
    empty: 'No events yet.',
  },
} as const;
