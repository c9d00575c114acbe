import { units } from '@/features/returns/messages';

/* Every word of an admin's answer to a return. */

export const messages = {
  accept: {
    button: 'Accept return',
    of: (count: number) => `of ${units(count)}`,
    title: (count: number) => `Accept the return of ${units(count)}`,
    explain: (customer: string, worth: string) =>
      `${customer} gets the money back to their card right away, and an email. These units cost ${worth}.`,
    amount: 'Refund (USD)',
    restock: (count: number) => `Put ${units(count)} back in stock`,
    send: 'Accept and refund',
    done: 'Return accepted. The refund is on its way.',
    amountNumber: 'Enter an amount',
    amountRequired: 'Amount is required',
    amountTooLow: 'Enter $0.01 or more',
    amountTooHigh: (most: string) => `Enter ${most} or less`,
    amountDecimals: 'Use at most two decimals',
  },
  decline: {
    button: 'Decline',
    of: (count: number) => `the return of ${units(count)}`,
    title: (count: number) => `Decline the return of ${units(count)}`,
    explain: (customer: string) => `${customer} reads your answer in an email and on the order.`,
    answer: 'Answer',
    answerHint: 'Say why, and what they can do instead.',
    send: 'Decline return',
    done: 'Return declined. The customer has your answer.',
    answerRequired: 'Answer is required',
    answerTooLong: 'Use at most 500 characters',
  },
} as const;
