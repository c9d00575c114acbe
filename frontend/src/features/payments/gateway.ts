import type { ComponentType, Ref } from 'react';
import type { Config } from '@/api/types';
import { retryingLazy } from '@/lib/retrying-lazy';

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
  /** What names the shop to its provider, in public. */
  publicKey: string | null;
  /** Null until the server has opened a payment intent; nothing can be paid before. */
  clientSecret: string | null;
  payer: Payer;
  /** What the button says is paid, such as `$6,450`. */
  amount: string;
  onPaid: (transactionId: string) => void;
  onOvertaken: () => void;
}

type CardForm = ComponentType<CardFormProps>;

/** The card form of each provider, and whether it needs the shop's public key there. */
const cardForms: Record<Config['paymentProvider'], { CardForm: CardForm; needsKey: boolean }> = {
  sandbox: {
    CardForm: retryingLazy(
      () => import(/* webpackChunkName: "pay-sandbox" */ './sandbox/sandbox-card-form'),
    ),
    needsKey: false,
  },
  stripe: {
    CardForm: retryingLazy(
      () => import(/* webpackChunkName: "pay-stripe" */ './stripe/stripe-card-form'),
    ),
    needsKey: true,
  },
};

/** The card form of the provider that the shop says is on; null where it cannot take cards. */
export function cardFormOf({
  paymentProvider,
  publishableKey,
}: Pick<Config, 'paymentProvider' | 'publishableKey'>): CardForm | null {
  const { CardForm, needsKey } = cardForms[paymentProvider];
  return needsKey && !publishableKey ? null : CardForm;
}
