import { formatCount } from '@/lib/money';

/* Every word of paying that a person reads. What the specification fixes, letter by letter, is marked. */

export const messages = {
  page: {
    heading: 'Payment',
    loading: 'Loading order',
    failed: "We couldn't load this order",
    notFound: "We can't find that order",
    notFoundHint: 'It may have been canceled, or it belongs to another account.',
    myOrders: 'My orders',
    viewOrder: 'View order',
    shop: 'Continue shopping',
    buyNow: 'Buy Now', // spec
  },
  /** What is paid for. */
  situation: {
    order: 'You are paying for one order.',
    line: 'You are paying for one line of a purchase.',
    purchase: (lines: number, number: string) =>
      `You are paying for purchase ${number}: ${lines === 1 ? '1 line' : `${formatCount(lines)} lines`} with one payment.`,
    remaining: (rest: string, all: string, number: string) =>
      `You are paying what remains of purchase ${number}: ${rest} of ${all}.`,
  },
  purchase: {
    loading: 'Loading purchase',
    failed: "We couldn't load this purchase",
    notFound: "We can't find that purchase",
    notFoundHint: 'It may have been canceled, or it belongs to another account.',
    purchases: 'Purchases',
    view: 'View purchase',
    lines: 'Parts',
    more: (count: number) =>
      count === 1 ? 'and 1 more part' : `and ${formatCount(count)} more parts`,
    waiting: 'Waiting for freight',
    waitingHint:
      "We're working out the freight. We'll email you the total within one business day; you can pay then.",
    canceled: 'Canceled',
    canceledHint: "This purchase was canceled. There's nothing to pay.",
    paidHint: "This purchase has been paid. There's nothing left to do here.",
    soon: "Thank you! We'll approve and ship your parts shortly. The invoice is with your purchase.",
    notRecordedYet:
      "Payment received. It may take a minute to show on your purchase; please don't pay again.",
    account: 'On account',
    accountHint:
      "Too large to pay by card. We'll approve this purchase, ship it on account and bill you.",
  },
  receipt: {
    successful: 'Payment Successful', // spec
    transaction: 'Transaction id', // spec
    onItsWay: 'Thank you! Your order is already on its way.',
    soon: "Thank you! We'll approve and ship your order shortly.",
    notRecordedYet:
      "Payment received. It may take a minute to show on your order; please don't pay again.",
    alreadyPaid: 'Already paid',
    alreadyPaidHint: "This order has been paid. There's nothing left to do here.",
    refunded: 'Refunded',
    refundedHint: "This order has been refunded. There's nothing to pay.",
  },
  card: {
    heading: 'Pay by card',
    loading: 'Loading the card form',
    failed: "We couldn't load the card form",
    notStarted: "We couldn't start the payment",
    unavailable: 'Card payments are temporarily unavailable',
    unavailableHint:
      "We can't take cards at the moment. Your order is saved; please try again later.",
    pay: (amount: string) => `Pay ${amount}`,
    preparing: 'Preparing secure payment…',
    unknown:
      "We couldn't confirm your payment. You can safely press Pay again; you won't be charged twice.",
    label: 'Card',
  },
  sandbox: {
    number: 'Card number',
    expiry: 'Expiry date',
    cvc: 'CVC',
    note: 'Test mode: no real payment is taken.',
    noteHint: 'Use any future date and any CVC. Pick a test card:',
    succeeds: 'succeeds',
    declined: 'is declined',
    insufficientFunds: 'has insufficient funds',
    incomplete: "The payment wasn't completed. Please try again.",
    numberRequired: 'Card number is required',
    numberInvalid: 'Your card number is invalid.',
    expiryRequired: 'Expiry date is required',
    expiryFormat: 'Enter the month and year, like 12/34.',
    expiryPast: "Your card's expiration date is in the past.",
    cvcRequired: 'CVC is required',
    cvcFormat: 'Enter the 3- or 4-digit security code.',
  },
  stripe: {
    noResponse: "We couldn't reach the card processor.",
    processing: 'Your payment is still processing.',
    canceled: 'This payment was canceled.',
    declined: 'Your card was declined.',
  },
} as const;
