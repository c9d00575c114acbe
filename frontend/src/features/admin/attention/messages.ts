/* Every word of Needs attention that a person reads. */

export const messages = {
  heading: 'Needs attention',
  loading: 'Loading what needs attention',
  failed: "We couldn't load this list",
  empty: 'Nothing needs your attention',
  emptyHint: "Returns, payments that don't match, disputes and failed refunds will appear here.",
  since: 'Since',
  customer: 'Customer',
  order: 'Order',
  payment: 'Payment',
  reason: 'Reason given',
  details: 'Details',
  state: { canceled: 'canceled', shipped: 'shipped', waiting: 'not shipped' },
  kinds: {
    mismatched: {
      title: "Payment doesn't match",
      explain:
        "We received a payment whose amount or currency doesn't match the order. Send it back to close it; the customer can then pay again.",
    },
    refundFailed: {
      title: 'Refund failed',
      explain: (customer: string) =>
        `The bank couldn't take the refund, often because the card was closed. You still owe ${customer} this money. Send it again, or pay by bank transfer and record it here.`,
    },
    refundOverdue: {
      title: 'Refund overdue',
      explain:
        "This refund has been pending for more than an hour. We'll keep trying. Check that your account with the payment provider has enough funds.",
    },
    refundedElsewhere: {
      title: 'Refunded outside the shop',
      explainShipped:
        "This order was refunded at the payment provider after it shipped. If that's right, remove it from this list.",
      explain:
        "This order was refunded at the payment provider, so it can't ship. Refund the rest on the order to close it.",
    },
    disputed: {
      title: 'Payment disputed',
      explainShipped:
        "The customer's bank has asked for this money back. Answer the dispute at the payment provider before the deadline.",
      explain:
        "The customer's bank has asked for this money back. Answer the dispute at the payment provider before the deadline. The order can't ship until you win the dispute.",
    },
    disputeLost: {
      title: 'Dispute lost',
      explain:
        "The bank has returned this money to the customer. Remove it from this list once you've dealt with it.",
    },
    return: {
      title: 'Return requested',
      explain: (customer: string) =>
        `${customer} wants to return units of a shipped order. Accept or decline on the order's page.`,
    },
  },
  answerReturn: 'Answer this return',
  sendBack: {
    button: 'Send money back',
    of: (customer: string) => `of ${customer}`,
    question: 'Send this payment back and close it?',
    note: (customer: string) => `The full payment will be returned to ${customer}.`,
    done: 'The payment is being sent back.',
  },
  retry: {
    button: 'Send again',
    to: (customer: string) => `to ${customer}`,
    question: (amount: string, customer: string) => `Send ${amount} to ${customer} again?`,
    note: 'If the card was closed, this refund will fail again.',
    done: 'The refund is being sent again.',
  },
  remove: {
    button: 'Remove from list',
    refundQuestion: 'Remove this refund from the list?',
    disputeQuestion: 'Remove this dispute from the list?',
    done: 'Removed from the list.',
  },
  bankTransfer: {
    button: 'Record bank transfer',
    to: (customer: string) => `to ${customer}`,
    explain: (amount: string, customer: string) =>
      `Send ${amount} to ${customer} from your bank first. Then enter the transfer's reference to close this refund.`,
    reference: 'Reference',
    referenceRequired: 'Reference is required',
    referenceTooLong: 'Use at most 500 characters',
    submit: 'Record transfer',
    done: 'Bank transfer recorded.',
  },
} as const;
