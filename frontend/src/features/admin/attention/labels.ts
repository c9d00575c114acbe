import type { Attention, AttentionKind } from '@/api/types';

interface KindLabels {
  title: string;
  tone: 'error' | 'warning';
  /** What has happened, and what to do about it. */
  explain: (matter: Attention) => string;
}

export const kinds: Record<AttentionKind, KindLabels> = {
  mismatched: {
    title: 'Payment does not match',
    tone: 'error',
    explain: () =>
      'A payment came in whose amount or currency is not the order’s. Send it back and close it. The customer can then pay again.',
  },
  refundFailed: {
    title: 'Refund failed',
    tone: 'error',
    explain: ({ name }) =>
      `The bank could not take the refund, often because the card was closed. ${name} is still owed this money. Send it again, or pay by bank transfer and record it here.`,
  },
  refundOverdue: {
    title: 'Refund overdue',
    tone: 'warning',
    explain: () =>
      'This refund has not gone through for more than an hour. It is tried again by itself. Check that your account at the payment provider has enough funds.',
  },
  refundedElsewhere: {
    title: 'Refunded outside the shop',
    tone: 'warning',
    explain: ({ shipped }) =>
      shipped
        ? 'Money for this order was sent back at the payment provider after it shipped. If that is right, take it off this list.'
        : 'Money for this order was sent back at the payment provider, so it cannot ship. Refund the rest on the order to close it.',
  },
  disputed: {
    title: 'Payment disputed',
    tone: 'error',
    explain: ({ shipped }) =>
      `The customer’s bank has asked for this money back. Answer the dispute at the payment provider before its deadline.${shipped ? '' : ' The order cannot ship until the dispute is won.'}`,
  },
  disputeLost: {
    title: 'Dispute lost',
    tone: 'error',
    explain: () =>
      'The bank has returned this money to the customer. Take it off this list once you have dealt with it.',
  },
};

const moment = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

export function formatSince(time: string): string {
  return moment.format(new Date(time));
}

/** `expired_or_canceled_card` is `expired or canceled card`. */
export function reasonOf(word: string): string {
  return word.replaceAll('_', ' ');
}
