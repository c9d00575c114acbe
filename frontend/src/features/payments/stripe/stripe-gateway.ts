import type { Stripe, StripeCardElement, StripeError } from '@stripe/stripe-js';
import type { Confirmation, PaymentGateway } from '../gateway';
import { messages } from '../messages';

const { stripe: text } = messages;

/** The two calls that a payment takes, so that a test can answer them. */
export type StripePayments = Pick<Stripe, 'createPaymentMethod' | 'confirmCardPayment'>;

function readError(error: StripeError): Confirmation {
  // A payment intent that was paid meanwhile, by an answer that got lost or in another tab, is returned as it is.
  if (error.payment_intent?.status === 'succeeded') {
    return { kind: 'paid', transactionId: error.payment_intent.id };
  }
  if (error.payment_intent?.status === 'canceled') {
    return { kind: 'overtaken', message: error.message ?? text.canceled };
  }
  if (error.type === 'api_connection_error' || error.type === 'api_error') {
    return { kind: 'unanswered', message: error.message ?? text.noResponse };
  }
  return { kind: 'refused', message: error.message ?? text.declined };
}

/** Stripe, by its own fields: the card's number never passes through the shop. */
export function stripeGateway(stripe: StripePayments): PaymentGateway<StripeCardElement> {
  return {
    confirm: async (clientSecret, card, payer) => {
      try {
        const method = await stripe.createPaymentMethod({
          type: 'card',
          card,
          billing_details: payer,
        });
        if (method.error) return readError(method.error);
        const confirmed = await stripe.confirmCardPayment(clientSecret, {
          payment_method: method.paymentMethod.id,
        });
        if (confirmed.error) return readError(confirmed.error);
        const { id, status } = confirmed.paymentIntent;
        if (status === 'succeeded') return { kind: 'paid', transactionId: id };
        return { kind: 'unanswered', message: text.processing };
      } catch {
        return { kind: 'unanswered', message: text.noResponse };
      }
    },
  };
}
