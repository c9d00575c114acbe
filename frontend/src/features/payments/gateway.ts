import { type ComponentType, createElement, lazy, type Ref } from 'react';
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

type CardForm = ComponentType<CardFormProps>;
type Provider = Config['paymentProvider'];

const SandboxCardForm: CardForm = lazy(
  () => import(/* webpackChunkName: "pay-sandbox" */ './sandbox/sandbox-card-form'),
);

const StripeCardForm = lazy(
  () => import(/* webpackChunkName: "pay-stripe" */ './stripe/stripe-card-form'),
);

/** The card form of each provider, for the shop's key there; null where the provider needs a key and there is none. */
const cardForms: Record<Provider, (publicKey: string | null) => CardForm | null> = {
  sandbox: () => SandboxCardForm,
  stripe: (publishableKey) =>
    publishableKey === null
      ? null
      : (props) => createElement(StripeCardForm, { ...props, publishableKey }),
};

export interface Gateway {
  provider: Provider;
  CardForm: CardForm;
}

let bound: { provider: Provider; publicKey: string | null; gateway: Gateway | null } | undefined;

/**
 * The provider that the shop says is on, with its card form; null where it cannot take cards. The same configuration
 * answers the same component: another one would empty the form that a card is being typed into.
 */
export function gatewayOf({ paymentProvider: provider, publishableKey }: Config): Gateway | null {
  const publicKey = publishableKey || null;
  if (bound?.provider !== provider || bound.publicKey !== publicKey) {
    const CardForm = cardForms[provider](publicKey);
    bound = { provider, publicKey, gateway: CardForm && { provider, CardForm } };
  }
  return bound.gateway;
}
