/*
 * Stands where Stripe's script for browsers stands, and speaks to the testkit's Stripe. The shop's pages load it from
 * Stripe's address and call Stripe's addresses, under the policy that they have in production: only the network is ours.
 */
import type { BrowserContext } from '@playwright/test';

/**
 * The parts of Stripe's script that a card payment uses. Its fields stand in the page and not in a frame of Stripe's, so
 * that a journey can type into them. Runs in the browser: it can use nothing from around it.
 */
function stripeJs() {
  type Answer = Record<string, unknown> & {
    id: string;
    status: string;
    next_action?: { use_stripe_sdk?: { stripe_js: string } };
    last_payment_error?: { message: string; type: string };
  };
  type Result = { answer: Answer } | { error: Record<string, unknown> };
  type Listener = (event: unknown) => void;

  const call = async (
    key: string,
    method: string,
    path: string,
    fields: Record<string, string>,
  ): Promise<Result> => {
    const form = new URLSearchParams(fields);
    const init: RequestInit = { method, headers: { authorization: `Bearer ${key}` } };
    try {
      const url = `https://api.stripe.com/v1/${path}`;
      const response = await (method === 'GET'
        ? fetch(`${url}?${form}`, init)
        : fetch(url, { ...init, body: form }));
      const body = await response.json();
      return response.ok ? { answer: body } : { error: body.error };
    } catch {
      return {
        error: { type: 'api_connection_error', message: 'We are experiencing issues connecting.' },
      };
    }
  };

  const createCardElement = () => {
    const listeners = new Map<string, Listener[]>();
    const emit = (event: string, detail: unknown = {}) => {
      for (const listener of listeners.get(event) ?? []) listener(detail);
    };
    const fields = ['Card number', 'Expiry date', 'CVC'].map((label) => {
      const input = document.createElement('input');
      input.setAttribute('aria-label', label);
      input.autocomplete = 'off';
      input.addEventListener('input', () => emit('change', { elementType: 'card' }));
      return input;
    });
    return {
      typed: () => fields.map((field) => field.value.trim()),
      mount(place: HTMLElement) {
        place.append(...fields);
        setTimeout(() => emit('ready'), 20);
      },
      unmount: () => {
        for (const field of fields) field.remove();
      },
      destroy: () => {
        for (const field of fields) field.remove();
      },
      focus: () => fields[0]?.focus(),
      blur: () => fields[0]?.blur(),
      clear: () => {
        for (const field of fields) field.value = '';
      },
      update: () => undefined,
      on: (event: string, listener: Listener) => {
        listeners.set(event, [...(listeners.get(event) ?? []), listener]);
      },
      once: (event: string, listener: Listener) => {
        listeners.set(event, [...(listeners.get(event) ?? []), listener]);
      },
      off: (event: string) => {
        listeners.delete(event);
      },
    };
  };
  type CardElement = ReturnType<typeof createCardElement>;

  /** Shows the bank's page until the payment no longer waits for it. */
  const challenge = async (address: string, retrieve: () => Promise<Result>): Promise<Result> => {
    const dialog = document.createElement('dialog');
    dialog.setAttribute('aria-label', '3-D Secure');
    const frame = document.createElement('iframe');
    frame.title = '3-D Secure';
    frame.src = `https://hooks.stripe.com${new URL(address).pathname}`;
    dialog.append(frame);
    document.body.append(dialog);
    dialog.showModal();
    let seen = await retrieve();
    while ('answer' in seen && seen.answer.status === 'requires_action') {
      await new Promise((done) => setTimeout(done, 100));
      seen = await retrieve();
    }
    dialog.remove();
    return seen;
  };

  const stripe = (key: string) => {
    const retrieve = (secret: string) =>
      call(key, 'GET', `payment_intents/${secret.split('_secret')[0]}`, { client_secret: secret });
    return {
      elements: () => {
        let card: CardElement | null = null;
        return {
          create: () => {
            card = createCardElement();
            return card;
          },
          getElement: () => card,
          update: () => undefined,
        };
      },
      createToken: () => undefined,
      createPaymentMethod: async (given: {
        card: CardElement;
        billing_details: { name: string; email: string };
      }) => {
        const [number = '', expiry = '', cvc = ''] = given.card.typed();
        const [month = '', year = ''] = expiry.split('/');
        if (!number) {
          const message = 'Your card number is incomplete.';
          return { error: { type: 'validation_error', code: 'incomplete_number', message } };
        }
        const made = await call(key, 'POST', 'payment_methods', {
          type: 'card',
          'card[number]': number,
          'card[exp_month]': month.trim(),
          'card[exp_year]': year.trim(),
          'card[cvc]': cvc,
          'billing_details[name]': given.billing_details.name,
          'billing_details[email]': given.billing_details.email,
        });
        return 'answer' in made ? { paymentMethod: made.answer } : made;
      },
      confirmCardPayment: async (secret: string, given: { payment_method: string }) => {
        const id = secret.split('_secret')[0];
        let now = await call(key, 'POST', `payment_intents/${id}/confirm`, {
          client_secret: secret,
          payment_method: given.payment_method,
          use_stripe_sdk: 'true',
        });
        const asked = 'answer' in now && now.answer.next_action?.use_stripe_sdk?.stripe_js;
        if (asked) now = await challenge(asked, () => retrieve(secret));
        if (!('answer' in now)) return now;
        const refused = now.answer.last_payment_error;
        if (now.answer.status === 'requires_payment_method' && refused) {
          return { error: { ...refused, payment_intent: now.answer } };
        }
        return { paymentIntent: now.answer };
      },
      retrievePaymentIntent: async (secret: string) => {
        const found = await retrieve(secret);
        return 'answer' in found ? { paymentIntent: found.answer } : found;
      },
      registerAppInfo: () => undefined,
      _registerWrapper: () => undefined,
    };
  };
  // The loader wants the version that it asked for, which is a part of the address.
  const { src } = document.currentScript as HTMLScriptElement;
  Object.assign(window, {
    Stripe: Object.assign(stripe, { version: new URL(src).pathname.split('/')[1] }),
  });
}

/** Answers for Stripe's addresses in a browser: its script, its API and its bank's page, the latter two by the fake's. */
export async function standInForStripe(context: BrowserContext, fake: string): Promise<void> {
  await context.route('https://js.stripe.com/**', (route) =>
    route.fulfill({ contentType: 'text/javascript', body: `(${stripeJs})()` }),
  );
  for (const host of ['https://api.stripe.com', 'https://hooks.stripe.com']) {
    await context.route(`${host}/**`, async (route) => {
      const url = route.request().url().replace(host, fake);
      await route.fulfill({ response: await route.fetch({ url }) });
    });
  }
}
