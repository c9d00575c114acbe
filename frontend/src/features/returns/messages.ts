import type { ReturnReason } from '@/api/types';
import { formatCount } from '@/lib/money';

/* Every word of returns that a person reads. */

export const units = (count: number) => (count === 1 ? '1 unit' : `${formatCount(count)} units`);

const reasons: Record<ReturnReason, string> = {
  damaged: "Damaged, or doesn't work",
  wrong_part: 'We got the wrong part',
  does_not_fit: "Doesn't fit",
  not_as_described: 'Not as described',
  not_needed: 'No longer needed',
  other: 'Something else',
};

export const messages = {
  heading: 'Returns',
  loading: 'Loading returns',
  failed: "We couldn't load the returns",
  reasons,
  states: { requested: 'Waiting for our answer', accepted: 'Accepted', declined: 'Declined' },
  adminRequested: 'Waiting for your answer',
  /** One return in short, as `10 units: Doesn't fit`. */
  line: (count: number, reason: ReturnReason) => `${units(count)}: ${reasons[reason]}`,
  asked: 'Asked for on',
  answered: 'answered on',
  refunded: (amount: string) => `${amount} refunded`,
  refundedBefore: 'This order had already been refunded in full.',
  declined: (answer: string) => `Our answer: ${answer}`,
  open: 'Send the units, unused and in their boxes, to the address on our Contact page, with your order number. We email you as soon as we decide.',
  contact: 'Contact',
  until: (day: string) => `Money back guarantee: you can return this order until ${day}.`,
  request: {
    button: 'Return units',
    of: (part: string) => `of ${part}`,
    title: 'Return units',
    reason: 'Why are you returning them?',
    choose: 'Choose a reason',
    units: 'Units',
    unitsHint: (most: number) => `1 to ${formatCount(most)}`,
    details: 'Details',
    detailsHint: 'Optional. What is wrong, and with which units?',
    send: 'Ask for return',
    done: (count: number) => `We've received your request to return ${units(count)}.`,
    reasonRequired: 'Choose a reason',
    unitsNumber: 'Enter a number of units',
    unitsRequired: 'Enter how many units you are returning',
    unitsTooFew: 'Return 1 unit or more',
    unitsTooMany: (most: number) => `You can return up to ${units(most)}`,
    detailsTooLong: 'Use at most 1,000 characters',
  },
} as const;
