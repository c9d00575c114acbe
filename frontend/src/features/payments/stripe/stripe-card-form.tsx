import { CardElement, Elements, useElements, useStripe } from '@stripe/react-stripe-js';
import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import {
  type FormEvent,
  useCallback,
  useEffect,
  useId,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from 'react';
import { NO_ANSWER } from '@/api/problem';
import { ErrorState } from '@/ui/error-state';
import { SpinnerPage } from '@/ui/spinner';
import { PayBar } from '../components/pay-bar';
import type { CardFormProps, Confirmation } from '../gateway';
import { messages } from '../messages';
import { stripeGateway } from './stripe-gateway';
import { useThemeColors } from './use-theme-colors';

function CardForm({
  ref,
  clientSecret,
  payer,
  amount,
  onPaid,
  onOvertaken,
}: Omit<CardFormProps, 'publicKey'>) {
  const id = useId();
  const stripe = useStripe();
  const elements = useElements();
  const colors = useThemeColors();
  const [busy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Confirmation | null>(null);
  const gateway = useMemo(() => (stripe ? stripeGateway(stripe) : null), [stripe]);

  const wanted = useRef(false);
  const focusCard = useCallback(() => elements?.getElement(CardElement)?.focus(), [elements]);

  // The field cannot take the cursor before its frame has loaded; it is then given it late.
  useImperativeHandle(
    ref,
    () => ({
      focus: () => {
        wanted.current = true;
        focusCard();
      },
    }),
    [focusCard],
  );

  const pay = async (event: FormEvent) => {
    event.preventDefault();
    const card = elements?.getElement(CardElement);
    if (!gateway || !card || !clientSecret || busy) return;
    setBusy(true);
    setOutcome(null);
    const answer = await gateway.confirm(clientSecret, card, payer);
    setBusy(false);
    setOutcome(answer);
    if (answer.kind === 'paid') onPaid(answer.transactionId);
    if (answer.kind === 'overtaken') onOvertaken();
  };

  return (
    <form noValidate onSubmit={pay} className="grid gap-5">
      <div className="grid gap-1.5">
        <label htmlFor={id} className="font-semibold">
          {messages.card.label}
        </label>
        <CardElement
          id={id}
          className="rounded-field border border-edge bg-surface px-3 py-3.5"
          onChange={() => setOutcome(null)}
          onReady={() => {
            if (wanted.current) focusCard();
          }}
          options={{
            style: {
              base: {
                color: colors.text,
                fontSize: '16px',
                '::placeholder': { color: colors.faint },
              },
              invalid: { color: colors.error, iconColor: colors.error },
            },
          }}
        />
      </div>
      <PayBar
        ready={clientSecret !== null && gateway !== null}
        busy={busy}
        amount={amount}
        outcome={outcome}
      />
    </form>
  );
}

/** Loads Stripe's script, which comes from Stripe itself by its own rule, and nowhere else than here. */
export default function StripeCardForm({ publicKey, ...form }: CardFormProps) {
  const [attempt, setAttempt] = useState(0);
  const [stripe, setStripe] = useState<Stripe | 'loading' | 'failed'>('loading');
  const asked = useRef<{ what: string; answer: Promise<Stripe | null> } | null>(null);

  useEffect(() => {
    let current = true;
    // A page that is hidden for a moment and shown again runs its effects again. Another Stripe then
    // would empty the form that a card is being typed into.
    const what = `${publicKey} ${attempt}`;
    if (asked.current?.what !== what) {
      // Nobody is shown this form without a key; Stripe's script refuses an empty one.
      asked.current = { what, answer: loadStripe(publicKey ?? '').catch(() => null) };
      setStripe('loading');
    }
    asked.current.answer.then((loaded) => current && setStripe(loaded ?? 'failed'));
    return () => {
      current = false;
    };
  }, [publicKey, attempt]);

  if (stripe === 'loading') return <SpinnerPage label={messages.card.loading} />;
  if (stripe === 'failed') {
    return (
      <ErrorState
        title={messages.card.failed}
        error={NO_ANSWER}
        onRetry={() => setAttempt((before) => before + 1)}
      />
    );
  }
  return (
    <Elements stripe={stripe}>
      <CardForm {...form} />
    </Elements>
  );
}
