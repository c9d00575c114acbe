import type { Stripe, StripeCardElement } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Activity } from 'react';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Config, Order } from '@/api/types';
import { aConfig } from '@/testing/config';
import { anOrder, paidWith, problem } from '@/testing/orders';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import { cardFormOf } from './gateway';
import PaymentPage from './pages/payment-page';
import { groupDigits, isExpired, parseExpiry, passesLuhn } from './sandbox/card';
import StripeCardForm from './stripe/stripe-card-form';
import { stripeGateway } from './stripe/stripe-gateway';

vi.mock('@stripe/stripe-js/pure', () => ({ loadStripe: vi.fn() }));

const order = anOrder();

interface Confirmation {
  body: unknown;
  key: string | null;
}

let confirmations: Confirmation[] = [];
let recorded: unknown[] = [];

beforeEach(() => {
  confirmations = [];
  recorded = [];
  vi.mocked(loadStripe).mockReset();
});

/** A shop with one order; the sandbox answers with `confirm`, the record of the payment with `record`. */
function shop({
  of = order,
  config = aConfig(),
  confirm = () => HttpResponse.json({ id: 'pi_77', status: 'succeeded' }),
  record = () => HttpResponse.json({ modifiedCount: 1 }),
}: {
  of?: Order;
  config?: Config;
  confirm?: () => Response;
  record?: () => Response;
} = {}) {
  server.use(
    http.get('http://shop.test/config', () => HttpResponse.json(config)),
    http.get('http://shop.test/orders/:id', () => HttpResponse.json(of)),
    http.post('http://shop.test/create-payment-intent', async ({ request }) => {
      expect(await request.json()).toEqual({ orderId: of._id, price: of.price });
      return HttpResponse.json({ clientSecret: 'pi_77_secret_1' });
    }),
    http.post('http://shop.test/sandbox/payment-intents/confirm', async ({ request }) => {
      confirmations.push({
        body: await request.json(),
        key: request.headers.get('Idempotency-Key'),
      });
      return confirm();
    }),
    http.patch('http://shop.test/orders/:id', async ({ request }) => {
      recorded.push(await request.json());
      return record();
    }),
  );
}

function show() {
  return renderApp(
    <Routes>
      <Route path="/dashboard/payment/:id" element={<PaymentPage />} />
    </Routes>,
    { at: `/dashboard/payment/${order._id}`, user: customer },
  );
}

async function typeCard(number = '4242424242424242', expiry = '12/34') {
  const user = userEvent.setup();
  await user.type(await screen.findByLabelText('Card number'), number);
  await user.type(screen.getByLabelText('Expiry date'), expiry);
  await user.type(screen.getByLabelText('CVC'), '123');
  return user;
}

const payButton = () => screen.getByRole('button', { name: /^Pay/ });

describe('the payment page', () => {
  it('shows the order, and Buy Now puts the cursor into the card form', async () => {
    shop();
    show();
    expect(await screen.findByRole('heading', { name: order.productName })).toBeVisible();
    for (const text of [order.name, order.email, order.phone, order.address, '50', '$6,450.00']) {
      expect(screen.getByText(text)).toBeVisible();
    }
    expect(screen.getByText(/^Order DL-10428/)).toHaveTextContent('Mar 1, 2026 · Part DL-1000');
    const number = await screen.findByLabelText('Card number');
    await userEvent.click(screen.getByRole('button', { name: 'Buy Now' }));
    expect(number).toHaveFocus();
  });

  it('keeps Pay off until the secret has come', async () => {
    shop();
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    server.use(
      http.post('http://shop.test/create-payment-intent', async () => {
        await held;
        return HttpResponse.json({ clientSecret: 's' });
      }),
    );
    show();
    await screen.findByLabelText('Card number');
    expect(payButton()).toBeDisabled();
    expect(payButton()).toHaveAccessibleDescription('Preparing secure payment…');
    release();
    await waitFor(() => expect(payButton()).toBeEnabled());
  });

  it('offers Retry when no secret comes', async () => {
    shop();
    server.use(
      http.post(
        'http://shop.test/create-payment-intent',
        () => HttpResponse.json(problem('internal', 500, 'Not now.'), { status: 500 }),
        { once: true },
      ),
    );
    show();
    expect(await screen.findByText("We couldn't start the payment")).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(payButton()).toBeEnabled());
  });

  it('pays, shows the transaction, and notifies the server', async () => {
    shop({ of: { ...order, reservedUntil: '2026-03-01T11:00:00Z' } });
    show();
    expect(await screen.findByText(/Reserved until/)).toBeVisible();
    const user = await typeCard();
    await waitFor(() => expect(payButton()).toBeEnabled());
    await user.click(payButton());
    const receipt = await screen.findByRole('alert');
    expect(within(receipt).getByRole('heading')).toHaveTextContent('Payment Successful');
    expect(receipt).toHaveTextContent('pi_77');
    expect(within(receipt).getByRole('heading')).toHaveFocus();
    expect(confirmations[0]?.body).toEqual({
      clientSecret: 'pi_77_secret_1',
      card: { number: '4242424242424242', expMonth: 12, expYear: 2034, cvc: '123' },
      billingDetails: { name: customer.displayName, email: customer.email },
    });
    expect(recorded).toEqual([
      { payment: { product: order._id, transactionId: 'pi_77', status: 'paid' } },
    ]);
    // Nobody who has paid is still asked to pay in time.
    expect(screen.queryByText(/Reserved until/)).toBeNull();
  });

  it.each([401, 500])(
    'says that the money arrived although the shop answered %i to that',
    async (status) => {
      shop({ record: () => HttpResponse.json(problem('x', status, 'No.'), { status }) });
      server.use(
        http.put('http://shop.test/user/:email', () => new HttpResponse(null, { status: 401 })),
      );
      show();
      const user = await typeCard();
      await waitFor(() => expect(payButton()).toBeEnabled());
      await user.click(payButton());
      expect(await screen.findByText('Payment Successful')).toBeVisible();
      expect(await screen.findByText(/It may take a minute to show on your order/)).toBeVisible();
    },
  );

  it("shows the provider's message under the form, keeps the card, and tries under a new key", async () => {
    const answers = [
      () =>
        HttpResponse.json(problem('payment-refused', 402, 'Your card was declined.'), {
          status: 402,
        }),
      () => HttpResponse.json({ id: 'pi_77', status: 'succeeded' }),
    ];
    shop({ confirm: () => (answers.shift() ?? HttpResponse.error)() });
    show();
    const user = await typeCard('4000000000000002');
    await waitFor(() => expect(payButton()).toBeEnabled());
    await user.click(payButton());
    expect(await screen.findByRole('alert')).toHaveTextContent('Your card was declined.');
    expect(screen.getByLabelText('Card number')).toHaveValue('4000 0000 0000 0002');
    await user.click(payButton());
    expect(await screen.findByText('Payment Successful')).toBeVisible();
    expect(confirmations[1]?.key).not.toBe(confirmations[0]?.key);
  });

  it('says that nothing is known without an answer, and asks again under the same key', async () => {
    const answers = [
      () => HttpResponse.error(),
      () => HttpResponse.json({ id: 'pi_77', status: 'succeeded' }),
    ];
    shop({ confirm: () => (answers.shift() ?? HttpResponse.error)() });
    show();
    const user = await typeCard();
    await waitFor(() => expect(payButton()).toBeEnabled());
    await user.click(payButton());
    expect(await screen.findByRole('alert')).toHaveTextContent(/you won't be charged twice/);
    await user.click(payButton());
    expect(await screen.findByText('Payment Successful')).toBeVisible();
    expect(confirmations[1]?.key).toBe(confirmations[0]?.key);
  });

  it('asks for a card that could be one', async () => {
    shop();
    show();
    const user = await typeCard('4242424242424241', '13/34');
    await waitFor(() => expect(payButton()).toBeEnabled());
    await user.click(payButton());
    expect(await screen.findByText('Your card number is invalid.')).toBeVisible();
    expect(screen.getByText('Enter the month and year, like 12/34.')).toBeVisible();
    await waitFor(() => expect(screen.getByLabelText('Card number')).toHaveFocus());
    expect(confirmations).toHaveLength(0);
  });

  it('says that no money moves, and fills in a test card', async () => {
    shop();
    show();
    expect(await screen.findByText('Test mode: no real payment is taken.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: '4000 0000 0000 9995' }));
    expect(screen.getByLabelText('Card number')).toHaveValue('4000 0000 0000 9995');
  });

  it('knows an order that is paid already', async () => {
    shop({ of: anOrder(paidWith('pi_old')) });
    show();
    expect(await screen.findByRole('heading', { name: 'Already paid' })).toBeVisible();
    expect(screen.getByText('pi_old')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Buy Now' })).not.toBeInTheDocument();
  });

  it('learns that it was paid in another tab', async () => {
    shop();
    let paid = false;
    server.use(
      http.get('http://shop.test/orders/:id', () =>
        HttpResponse.json(paid ? anOrder(paidWith('pi_other')) : order),
      ),
      http.post('http://shop.test/create-payment-intent', () => {
        paid = true;
        return HttpResponse.json(problem('already-paid', 409, 'Paid.'), { status: 409 });
      }),
    );
    show();
    expect(await screen.findByRole('heading', { name: 'Already paid' })).toBeVisible();
  });

  it('says that there is no such order', async () => {
    server.use(
      http.get('http://shop.test/orders/:id', () =>
        HttpResponse.json(problem('not-found', 404, 'None.'), { status: 404 }),
      ),
    );
    show();
    expect(await screen.findByText("We can't find that order")).toBeVisible();
    expect(screen.getByRole('link', { name: 'My orders' })).toBeVisible();
  });
});

describe('the sandbox card', () => {
  it('groups digits and checks them', () => {
    expect(groupDigits('42424242424')).toBe('4242 4242 424');
    expect(passesLuhn('4242 4242 4242 4242')).toBe(true);
    expect(passesLuhn('4242 4242 4242 4241')).toBe(false);
    expect(passesLuhn('0')).toBe(false);
  });

  it.each([
    ['12/34', { month: 12, year: 2034 }],
    ['1 / 2034', { month: 1, year: 2034 }],
    ['0134', { month: 1, year: 2034 }],
    ['13/34', null],
    ['00/34', null],
    ['12', null],
  ])('reads %j', (text, expected) => {
    expect(parseExpiry(text)).toEqual(expected);
  });

  it('is good until the end of its month', () => {
    const now = new Date(2026, 10, 21);
    expect(isExpired({ month: 11, year: 2026 }, now)).toBe(false);
    expect(isExpired({ month: 10, year: 2026 }, now)).toBe(true);
  });
});

describe('Stripe', () => {
  const card = {} as StripeCardElement;
  const payer = { name: 'Casey Lane', email: 'casey@example.com' };
  const answers = (method: unknown, confirmed: unknown) => {
    const createPaymentMethod = vi.fn().mockResolvedValue(method);
    const confirmCardPayment = vi.fn().mockResolvedValue(confirmed);
    const gateway = stripeGateway({
      createPaymentMethod,
      confirmCardPayment,
    } as unknown as Pick<Stripe, 'createPaymentMethod' | 'confirmCardPayment'>);
    return { gateway, createPaymentMethod, confirmCardPayment };
  };
  const method = { paymentMethod: { id: 'pm_1' } };

  it('makes a payment method with the billing name and e-mail, then confirms with it', async () => {
    const { gateway, createPaymentMethod, confirmCardPayment } = answers(method, {
      paymentIntent: { id: 'pi_1', status: 'succeeded' },
    });
    expect(await gateway.confirm('secret', card, payer)).toEqual({
      kind: 'paid',
      transactionId: 'pi_1',
    });
    expect(createPaymentMethod).toHaveBeenCalledWith({
      type: 'card',
      card,
      billing_details: payer,
    });
    expect(confirmCardPayment).toHaveBeenCalledWith('secret', { payment_method: 'pm_1' });
  });

  it("hands over the provider's message, and confirms nothing without a card", async () => {
    const { gateway, confirmCardPayment } = answers(
      { error: { type: 'validation_error', message: 'Your card number is incomplete.' } },
      {},
    );
    expect(await gateway.confirm('secret', card, payer)).toEqual({
      kind: 'refused',
      message: 'Your card number is incomplete.',
    });
    expect(confirmCardPayment).not.toHaveBeenCalled();
  });

  it('counts a payment intent that was paid meanwhile as paid', async () => {
    const { gateway } = answers(method, {
      error: {
        type: 'invalid_request_error',
        code: 'payment_intent_unexpected_state',
        payment_intent: { id: 'pi_1', status: 'succeeded' },
      },
    });
    expect(await gateway.confirm('secret', card, payer)).toMatchObject({ kind: 'paid' });
  });

  it('never says refused when it does not know', async () => {
    const { gateway } = answers(method, { error: { type: 'api_connection_error' } });
    expect(await gateway.confirm('secret', card, payer)).toMatchObject({ kind: 'unanswered' });
    const still = answers(method, { paymentIntent: { id: 'pi_1', status: 'processing' } });
    expect(await still.gateway.confirm('secret', card, payer)).toMatchObject({
      kind: 'unanswered',
    });
    const broken = stripeGateway({
      createPaymentMethod: vi.fn().mockRejectedValue(new Error('offline')),
      confirmCardPayment: vi.fn(),
    });
    expect(await broken.confirm('secret', card, payer)).toMatchObject({ kind: 'unanswered' });
  });

  it('is chosen by what the shop says, and only with its key', () => {
    const stripe = cardFormOf({ paymentProvider: 'stripe', publishableKey: 'pk_1' });
    const sandbox = cardFormOf({ paymentProvider: 'sandbox', publishableKey: null });
    expect(stripe).not.toBeNull();
    expect(sandbox).not.toBeNull();
    expect(sandbox).not.toBe(stripe);
    expect(cardFormOf({ paymentProvider: 'stripe', publishableKey: null })).toBeNull();
    // Another component would empty the form that a card is being typed into.
    expect(cardFormOf({ paymentProvider: 'stripe', publishableKey: 'pk_1' })).toBe(stripe);
  });

  it('is loaded with the key of the shop, and says when it does not come', async () => {
    shop({ config: aConfig({ paymentProvider: 'stripe', publishableKey: 'pk_1' }) });
    vi.mocked(loadStripe).mockResolvedValue(null);
    show();
    expect(await screen.findByText("We couldn't load the card form")).toBeVisible();
    expect(vi.mocked(loadStripe).mock.calls).toEqual([['pk_1']]);
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    await waitFor(() => expect(loadStripe).toHaveBeenCalledTimes(2));
  });

  it('is loaded once, also if the page is hidden and shown again', async () => {
    vi.mocked(loadStripe).mockReturnValue(new Promise(() => {}));
    const page = (mode: 'visible' | 'hidden') => (
      <Activity mode={mode}>
        <StripeCardForm
          publicKey="pk_1"
          clientSecret={null}
          payer={{ name: order.name, email: order.email }}
          amount="$6,450"
          onPaid={vi.fn()}
          onOvertaken={vi.fn()}
        />
      </Activity>
    );
    const { rerender } = render(page('visible'));
    await waitFor(() => expect(loadStripe).toHaveBeenCalledTimes(1));
    rerender(page('hidden'));
    rerender(page('visible'));
    expect(loadStripe).toHaveBeenCalledTimes(1);
  });

  it('is not asked for where the shop has no key', async () => {
    shop({ config: aConfig({ paymentProvider: 'stripe' }) });
    show();
    expect(await screen.findByText('Card payments are temporarily unavailable')).toBeVisible();
    expect(loadStripe).not.toHaveBeenCalled();
  });
});
