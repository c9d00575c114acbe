import { type ComponentType, type LazyExoticComponent, lazy, type Ref } from 'react';
import type { Config } from '@/api/types';

/*
 * What the payment page needs from whoever moves the money. Each provider is one folder behind this; the page knows none
 * of them, and a provider's code is only loaded where somebody pays with it.
 */

/** Who pays, as the provider's receipt names them. */
export interface Payer {
  name: string;
  email: string;
}

export type Confirmation =
  | { kind: 'paid'; transactionId: string }
  /** The provider said no, in its own words; another card may do better. */
  | { kind: 'refused'; message: string }
  /** Nobody knows whether the money moved. Confirming the same secret again moves it at most once. */
  | { kind: 'unanswered'; message: string }
  /** The order is not what this page thinks it is: paid elsewhere, or cancelled. */
  | { kind: 'overtaken'; message: string };

/** `Card` is however the provider holds a card: typed fields, or a field of its own that we cannot look into. */
export interface PaymentGateway<Card> {
  /** Pays the payment intent behind `clientSecret`. Never rejects; a second call with the same secret never pays twice. */
  confirm(clientSecret: string, card: Card, payer: Payer): Promise<Confirmation>;
}

export interface CardFormHandle {
  /** Puts the cursor into the first field of the card. */
  focus: () => void;
}

export interface CardFormProps {
  ref?: Ref<CardFormHandle>;
  /** Null until the server has opened a payment intent; nothing can be paid before. */
  clientSecret: string | null;
  payer: Payer;
  /** What the button says is paid, such as `$6,450`. */
  amount: string;
  onPaid: (transactionId: string) => void;
  onOvertaken: () => void;
}

const SandboxCardForm = lazy(
  () => import(/* webpackChunkName: "pay-sandbox" */ './sandbox/sandbox-card-form'),
);

type StripeForm = ComponentType<CardFormProps & { publishableKey: string }>;
const StripeCardForm: LazyExoticComponent<StripeForm> = lazy(
  () => import(/* webpackChunkName: "pay-stripe" */ './stripe/stripe-card-form'),
);

export type Gateway =
  | { provider: 'sandbox'; CardForm: typeof SandboxCardForm }
  | { provider: 'stripe'; CardForm: typeof StripeCardForm; publishableKey: string };

/** The provider that the shop says is on; null where it names Stripe without the key that Stripe needs. */
export function gatewayOf(config: Config): Gateway | null {
  if (config.paymentProvider === 'sandbox') {
    return { provider: 'sandbox', CardForm: SandboxCardForm };
  }
  if (!config.publishableKey) return null;
  return {
    provider: 'stripe',
    CardForm: StripeCardForm,
    publishableKey: config.publishableKey,
  };
}
