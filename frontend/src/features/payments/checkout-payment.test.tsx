import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Purchase } from '@/features/checkout/wire';
import { aConfig } from '@/testing/config';
import { anOrder, problem } from '@/testing/orders';
import { aPurchase } from '@/testing/purchases';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import CheckoutPaymentPage from './pages/checkout-payment-page';
import PaymentPage from './pages/payment-page';

let opened: unknown[] = [];
let recorded: unknown[] = [];

beforeEach(() => {
  opened = [];
  recorded = [];
});

function shop(
  of: Purchase,
  record: () => Response = () => HttpResponse.json({ modifiedCount: 1 }),
) {
  server.use(
    http.get('*/config', () => HttpResponse.json(aConfig())),
    http.get('*/checkouts/:id', () => HttpResponse.json(of)),
    http.post('*/create-payment-intent', async ({ request }) => {
      opened.push(await request.json());
      return HttpResponse.json({ clientSecret: 'pi_77_secret_1' });
    }),
    http.post('*/sandbox/payment-intents/confirm', () =>
      HttpResponse.json({ id: 'pi_77', status: 'succeeded' }),
    ),
    http.patch('*/checkouts/:id', async ({ request }) => {
      recorded.push(await request.json());
      return record();
    }),
  );
}

function show(at = '/dashboard/pay/checkout/purchase-1') {
  renderApp(
    <Routes>
      <Route path="/dashboard/pay/checkout/:checkoutId" element={<CheckoutPaymentPage />} />
      <Route path="/dashboard/payment/:id" element={<PaymentPage />} />
    </Routes>,
    { at, user: customer },
  );
  return userEvent.setup();
}

async function pay(user: ReturnType<typeof userEvent.setup>) {
  await user.type(await screen.findByLabelText('Card number'), '4242424242424242');
  await user.type(screen.getByLabelText('Expiry date'), '12/34');
  await user.type(screen.getByLabelText('CVC'), '123');
  const button = screen.getByRole('button', { name: /^Pay/ });
  await waitFor(() => expect(button).toBeEnabled());
  await user.click(button);
}

describe('the payment of a purchase', () => {
  it('says that it is one, with all of its lines, and pays them together', async () => {
    shop(aPurchase());
    const user = show();
    expect(
      await screen.findByText('You are paying for purchase P-1042: 2 lines with one payment.'),
    ).toBeVisible();
    expect(screen.getByText('50 × Ceramic Brake Pads')).toBeVisible();
    expect(screen.getByText('$15.00')).toBeVisible();
    await pay(user);
    const receipt = await screen.findByRole('alert');
    expect(receipt).toHaveTextContent('Payment Successful');
    expect(receipt).toHaveTextContent('pi_77');
    expect(opened).toEqual([{ checkoutId: 'purchase-1', price: 7465 }]);
    expect(recorded).toEqual([{ payment: { transactionId: 'pi_77' } }]);
    expect(screen.getByRole('link', { name: 'View purchase' })).toHaveAttribute(
      'href',
      '/dashboard/purchase/purchase-1',
    );
    expect(screen.queryByText(/^You are paying/)).toBeNull();
  });

  it('says that it is what remains, and asks for no more', async () => {
    const [first, second] = aPurchase().lines;
    if (!first || !second) throw new Error('A purchase has two lines.');
    shop(aPurchase({ lines: [{ ...first, paid: true }, second] }));
    show();
    expect(
      await screen.findByText(
        'You are paying what remains of purchase P-1042: $1,015.00 of $7,465.00.',
      ),
    ).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Pay $1,015.00' })).toBeVisible();
    await waitFor(() => expect(opened).toEqual([{ checkoutId: 'purchase-1', price: 1015 }]));
  });

  it('asks nobody to pay twice when the shop has not heard of it', async () => {
    shop(aPurchase(), () => HttpResponse.json(problem('internal', 500, 'No.'), { status: 500 }));
    const user = show();
    await pay(user);
    expect(await screen.findByText(/please don't pay again/)).toBeVisible();
  });

  it.each([
    [{ state: 'paid', paid: true }, 'Already paid'],
    [{ state: 'waiting', shipping: null }, 'Waiting for freight'],
    [{ state: 'cancelled' }, 'Canceled'],
  ] as const)('has nothing to pay where it is %o', async (facts, title) => {
    shop(aPurchase(facts));
    show();
    expect(await screen.findByRole('heading', { name: title })).toBeVisible();
    expect(screen.queryByLabelText('Card number')).toBeNull();
    expect(opened).toEqual([]);
  });

  it('is not there if it is of somebody else', async () => {
    shop(aPurchase());
    server.use(
      http.get('*/checkouts/:id', () =>
        HttpResponse.json(problem('not-found', 404, 'None.'), { status: 404 }),
      ),
    );
    show();
    expect(
      await screen.findByRole('heading', { name: "We can't find that purchase" }),
    ).toBeVisible();
  });
});

describe('the payment of an order', () => {
  it('says that it is one, or a line of a purchase with its freight and tax', async () => {
    const order = { ...anOrder(), checkoutId: 'purchase-1', line: 2, due: 6500 };
    shop(aPurchase());
    server.use(http.get('*/orders/:id', () => HttpResponse.json(order)));
    show(`/dashboard/payment/${order._id}`);
    expect(await screen.findByText(/You are paying for one line of a purchase/)).toBeVisible();
    expect(screen.getByRole('link', { name: /^View the whole purchase/ })).toHaveAttribute(
      'href',
      '/dashboard/purchase/purchase-1',
    );
    await waitFor(() => expect(opened).toEqual([{ orderId: order._id, price: 6500 }]));
  });

  it('says that it is for one order', async () => {
    shop(aPurchase());
    server.use(http.get('*/orders/:id', () => HttpResponse.json(anOrder())));
    show(`/dashboard/payment/${anOrder()._id}`);
    expect(await screen.findByText('You are paying for one order.')).toBeVisible();
  });
});
