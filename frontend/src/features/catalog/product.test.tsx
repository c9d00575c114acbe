import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Info, Order, Product } from '@/api/types';
import { CLAMP_DELAY } from '@/lib/use-clamped-quantity';
import { someFacets } from '@/testing/facets';
import { anOrder, aProduct, disc, problem } from '@/testing/orders';
import { pricesOf } from '@/testing/prices';
import { address, customer, renderApp, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import { type Draft, keepDraft, readDraft } from './draft';
import ProductPage from './pages/product-page';
import ShopPage from './pages/shop-page';
import { keepUnanswered, readUnanswered } from './unanswered';

beforeEach(() => server.use(pricesOf()));

interface Sent {
  body: Record<string, unknown>;
  key: string | null;
}

let sent: Sent[] = [];

beforeEach(() => {
  server.use(
    http.get('http://shop.test/products/:id/reviews', () =>
      HttpResponse.json({ average: null, count: 0, reviews: [] }),
    ),
    http.get('http://shop.test/products/:id/numbers', () => HttpResponse.json([])),
    http.get('http://shop.test/products/:id/vehicles', () => HttpResponse.json([])),
    http.get('http://shop.test/garage', () => HttpResponse.json([])),
  );
});

/** Answers the orders one after the other; the last answer stands for all that follow. */
function answerOrders(...answers: (() => Response | Promise<Response>)[]) {
  server.use(
    http.post('http://shop.test/orders', async ({ request }) => {
      sent.push({
        body: (await request.json()) as Record<string, unknown>,
        key: request.headers.get('Idempotency-Key'),
      });
      const answer = answers[Math.min(sent.length, answers.length) - 1];
      return answer ? answer() : HttpResponse.error();
    }),
  );
}

const placed = () => HttpResponse.json({ insertedId: 'order-1' }, { status: 201 });
const refuse = (slug: string, status: number, message: string, more?: object) => () =>
  HttpResponse.json(problem(slug, status, message, more), { status });

/** What is known of this account's orders and of its profile. */
function know(orders: Order[], info: Partial<Info> | null = null) {
  const requested: string[] = [];
  server.use(
    http.get('http://shop.test/orders', ({ request }) => {
      requested.push(new URL(request.url).search);
      return HttpResponse.json(orders);
    }),
    http.get('http://shop.test/info', ({ request }) => {
      requested.push(new URL(request.url).pathname);
      return HttpResponse.json(info);
    }),
  );
  return requested;
}

function showProduct(product: Product = disc) {
  server.use(http.get('http://shop.test/products/:id', () => HttpResponse.json(product)));
  return renderApp(
    <Routes>
      <Route path="/product/:productId" element={<ProductPage />} />
    </Routes>,
    { at: `/product/${product._id}`, user: customer },
  );
}

async function openBilling(product: Product = disc) {
  const user = userEvent.setup();
  const view = showProduct(product);
  await user.click(await screen.findByRole('button', { name: 'Purchase' }));
  const dialog = await screen.findByRole('dialog', { name: 'Billing Details' });
  return { user, dialog, ...view };
}

async function openFilled(product: Product = disc) {
  const opened = await openBilling(product);
  await opened.user.type(within(opened.dialog).getByLabelText('Phone'), '555 0100');
  await opened.user.type(within(opened.dialog).getByLabelText('Address'), '1 Workshop Lane');
  return opened;
}

beforeEach(() => {
  sent = [];
  know([]);
});

describe('the product page', () => {
  it('shows what the product is, in the words of the spec', async () => {
    showProduct();
    expect(await screen.findByRole('heading', { level: 1, name: disc.name })).toBeVisible();
    for (const [term, value] of [
      ['Category', 'BRAKES'],
      ['Minimum order quantity', '50'],
      ['Available quantity', '4,200'],
    ] as const) {
      expect(screen.getByText(term).nextElementSibling).toHaveTextContent(value);
    }
    expect(screen.getByText('$129')).toBeVisible();
    expect(screen.getByText('In stock')).toBeVisible();
    expect(screen.getByText('DL-1000')).toBeVisible();
    expect(screen.getByRole('img', { name: disc.name })).toHaveAttribute(
      'srcset',
      expect.stringContaining('brake-disc-960.webp 960w'),
    );
  });

  it('has its stars at its name and above its reviews', async () => {
    showProduct();
    server.use(
      http.get('http://shop.test/products/:id/reviews', () =>
        HttpResponse.json({ average: 4.5, count: 1200, reviews: [] }),
      ),
    );
    expect(await screen.findAllByText('4.5 out of 5 · 1,200 reviews')).toHaveLength(2);
    expect(screen.getByRole('region', { name: 'Reviews' })).toBeVisible();
  });

  it('names the way to it: the shop, its category, which filters the shop, and itself', async () => {
    showProduct();
    const crumbs = within(await screen.findByRole('navigation', { name: 'Breadcrumb' }));
    expect(crumbs.getByRole('link', { name: 'Shop' })).toHaveAttribute('href', '/shop');
    expect(await crumbs.findByRole('link', { name: 'Brake Parts' })).toHaveAttribute(
      'href',
      '/shop?category=BRAKES',
    );
    expect(crumbs.getByText(disc.name, { exact: false })).toHaveAttribute('aria-current', 'page');
    expect(screen.queryByRole('link', { name: 'Back to results' })).toBeNull();
  });

  it('leads back to the list that it was opened from, search included', async () => {
    server.use(
      http.get('http://shop.test/products', () => HttpResponse.json([disc])),
      http.get('http://shop.test/products/facets', () => HttpResponse.json(someFacets(1))),
      http.get('http://shop.test/products/:id', () => HttpResponse.json(disc)),
    );
    renderScreens(
      { '/shop': <ShopPage />, '/product/:productId': <ProductPage /> },
      { at: '/shop?q=disc&sort=price', user: customer },
    );
    const user = userEvent.setup();
    await user.click(await screen.findByRole('link', { name: disc.name }));
    expect(address()).toBe(`/product/${disc._id}`);
    const back = await screen.findByRole('link', { name: 'Back to results' });
    expect(back).toHaveAttribute('href', '/shop?q=disc&sort=price');
    await user.click(back);
    await waitFor(() => expect(address()).toBe('/shop?q=disc&sort=price'));
  });

  it('offers the usual quantities and steps as far as they can be ordered, with their total', async () => {
    const user = userEvent.setup();
    showProduct({ ...disc, minOrder: 60, availableQty: 105 });
    const quantity = await screen.findByLabelText('Quantity');
    expect(quantity).toHaveValue(60);
    expect(quantity).toHaveAccessibleDescription(
      'Minimum order 60 units ($7,740.00) · 105 in stock',
    );
    const usual = within(screen.getByRole('group', { name: 'Usual quantities' }));
    expect(usual.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['100']);
    expect(screen.getByRole('button', { name: 'Remove 10' })).toBeDisabled();
    await user.click(usual.getByRole('button', { name: '100' }));
    expect(quantity).toHaveValue(100);
    expect(screen.getByText('Total').nextElementSibling).toHaveTextContent('$12,900.00');
    await user.click(screen.getByRole('button', { name: 'Add 10' }));
    expect(quantity).toHaveValue(105);
    expect(screen.getByRole('button', { name: 'Add 10' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Remove 10' }));
    expect(quantity).toHaveValue(95);
  });

  it('hands the chosen quantity to Billing Details and takes it back from there', async () => {
    const user = userEvent.setup();
    showProduct();
    await user.click(await screen.findByRole('button', { name: '250' }));
    await user.click(screen.getByRole('button', { name: 'Purchase' }));
    const dialog = await screen.findByRole('dialog', { name: 'Billing Details' });
    const quantity = within(dialog).getByLabelText('Quantity');
    expect(quantity).toHaveValue(250);
    // At once: a quantity that is typed slowly is clamped on its way.
    fireEvent.change(quantity, { target: { value: '300' } });
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    expect(screen.getByLabelText('Quantity')).toHaveValue(300);
    fireEvent.change(screen.getByLabelText('Quantity'), { target: { value: '80' } });
    await user.click(screen.getByRole('button', { name: 'Purchase' }));
    const again = within(await screen.findByRole('dialog'));
    expect(again.getByLabelText('Quantity')).toHaveValue(80);
  });

  it('shows a skeleton first', () => {
    showProduct();
    expect(screen.getByRole('status', { name: 'Loading product' })).toBeVisible();
  });

  it.each([
    [0, 'Sold out', 'Sold out. The minimum order is 50 units.'],
    [49, 'Not enough stock', 'Only 49 left; the minimum order is 50.'],
  ])('with %i left it offers no purchase and says why', async (availableQty, label, reason) => {
    showProduct({ ...disc, availableQty });
    const button = await screen.findByRole('button', { name: label });
    expect(button).toBeDisabled();
    expect(button).toHaveAccessibleDescription(reason);
  });

  it('says that a product is gone, and where the others are', async () => {
    server.use(
      http.get('http://shop.test/products/:id', () =>
        HttpResponse.json(problem('not-found', 404, 'No such product.'), { status: 404 }),
      ),
    );
    renderApp(
      <Routes>
        <Route path="/product/:productId" element={<ProductPage />} />
      </Routes>,
      { at: '/product/nothing', user: customer },
    );
    expect(await screen.findByText('This product is no longer available')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to the shop' })).toHaveAttribute('href', '/shop');
  });

  it('offers Retry when the product did not come', async () => {
    let broken = true;
    server.use(
      http.get('http://shop.test/products/:id', () =>
        broken ? new HttpResponse(null, { status: 500 }) : HttpResponse.json(disc),
      ),
    );
    renderApp(
      <Routes>
        <Route path="/product/:productId" element={<ProductPage />} />
      </Routes>,
      { at: `/product/${disc._id}`, user: customer },
    );
    await screen.findByText("We couldn't load this product");
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('heading', { level: 1, name: disc.name })).toBeVisible();
  });
});

describe('Billing Details', () => {
  it('begins with who is signed in and the minimum, at its price', async () => {
    const { dialog } = await openBilling();
    expect(within(dialog).getByLabelText('Name')).toHaveValue('Casey Lane');
    expect(within(dialog).getByLabelText('Email')).toHaveValue('casey@example.com');
    expect(within(dialog).getByLabelText('Email')).toHaveAttribute('readonly');
    const quantity = within(dialog).getByLabelText('Quantity');
    expect(quantity).toHaveValue(50);
    expect(quantity).toHaveAttribute('min', '50');
    expect(quantity).toHaveAttribute('max', '4200');
    expect(quantity).toHaveAccessibleDescription('Minimum 50 · 4,200 in stock');
    expect(within(dialog).getByLabelText('Price')).toBeDisabled();
    expect(within(dialog).getByLabelText('Price')).toHaveValue('$6,450.00');
  });

  it('says what one agrees to, and opens it without taking the order away', async () => {
    const { dialog } = await openBilling();
    const terms = within(dialog).getByRole('link', { name: 'terms of sale' });
    expect(terms).toHaveAttribute('href', '/terms');
    expect(terms).toHaveAttribute('target', '_blank');
  });

  it("takes the product's own minimum where it is higher", async () => {
    const { dialog } = await openBilling({ ...disc, minOrder: 100 });
    expect(within(dialog).getByLabelText('Quantity')).toHaveValue(100);
    expect(within(dialog).getByLabelText('Price')).toHaveValue('$12,900.00');
  });

  it('computes the price in cents while one types', async () => {
    const { user, dialog } = await openBilling(aProduct({ price: 19.99 }));
    const quantity = within(dialog).getByLabelText('Quantity');
    await user.clear(quantity);
    await user.type(quantity, '300');
    expect(within(dialog).getByLabelText('Price')).toHaveValue('$5,997.00');
  });

  it('moves the quantity into its range 1.5 s after the last key, and says so politely', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    try {
      const user = userEvent.setup({ advanceTimers: (ms) => vi.advanceTimersByTime(ms) });
      showProduct();
      await user.click(await screen.findByRole('button', { name: 'Purchase' }));
      const dialog = await screen.findByRole('dialog');
      const quantity = within(dialog).getByLabelText('Quantity');
      await user.clear(quantity);
      await user.type(quantity, '9999');
      expect(quantity).toHaveValue(9999);
      await act(() => vi.advanceTimersByTimeAsync(CLAMP_DELAY));
      expect(quantity).toHaveValue(4200);
      expect(within(dialog).getByRole('status')).toHaveTextContent(
        'Quantity adjusted to 4,200 (all we have).',
      );
    } finally {
      vi.useRealTimers();
    }
  });

  it('moves the quantity into its range when the field is left', async () => {
    const { user, dialog } = await openBilling();
    const quantity = within(dialog).getByLabelText('Quantity');
    await user.clear(quantity);
    await user.type(quantity, '7');
    await user.tab();
    expect(quantity).toHaveValue(50);
  });

  it('sends every field of the spec and the product, then says so, resets and counts down', async () => {
    answerOrders(placed);
    const { user, dialog } = await openFilled();
    const quantity = within(dialog).getByLabelText('Quantity');
    await user.clear(quantity);
    await user.type(quantity, '60{Enter}');

    expect(await screen.findByText('Product added to my order')).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(sent).toHaveLength(1);
    expect(sent[0]?.body).toEqual({
      name: 'Casey Lane',
      email: 'casey@example.com',
      quantity: 60,
      price: 7740,
      address: '1 Workshop Lane',
      phone: '555 0100',
      img: disc.img,
      productName: disc.name,
      category: 'BRAKES',
      details: disc.description,
      status: 'Pending',
      productId: disc._id,
    });
    expect(screen.getByText('Available quantity').nextElementSibling).toHaveTextContent('4,140');
    expect(screen.getByRole('link', { name: 'Pay now' })).toHaveAttribute(
      'href',
      '/dashboard/payment/order-1',
    );
    expect(readDraft(disc._id, customer.email)).toBeNull();

    await user.click(screen.getByRole('button', { name: 'Purchase' }));
    const again = await screen.findByRole('dialog');
    expect(within(again).getByLabelText('Phone')).toHaveValue('');
    expect(within(again).getByLabelText('Quantity')).toHaveValue(50);
  });

  it('fills in phone and address of the last order, asked for when it opens, and says so', async () => {
    const requested = know([anOrder({ phone: '313 555 0142', address: '9 Assembly Road' })]);
    const user = userEvent.setup();
    showProduct();
    const purchase = await screen.findByRole('button', { name: 'Purchase' });
    expect(requested).toEqual([]);
    await user.click(purchase);
    const dialog = within(await screen.findByRole('dialog'));
    expect(await dialog.findByRole('note')).toHaveTextContent(
      "We've filled this in from your previous order.",
    );
    expect(dialog.getByLabelText('Phone')).toHaveValue('313 555 0142');
    expect(dialog.getByLabelText('Address')).toHaveValue('9 Assembly Road');
    expect(requested).toEqual(['?limit=1&email=casey%40example.com']);
  });

  it('fills in the phone of the profile where there is no order, and leaves what was typed', async () => {
    know([], { phone: '313 555 0199' });
    const { dialog } = await openBilling();
    expect(await within(dialog).findByRole('note')).toHaveTextContent('from your profile');
    expect(within(dialog).getByLabelText('Phone')).toHaveValue('313 555 0199');
    expect(within(dialog).getByLabelText('Address')).toHaveValue('');
  });

  it('does not overwrite what was typed before the last order is known', async () => {
    let answer = () => {};
    server.use(
      http.get('http://shop.test/orders', async () => {
        await new Promise<void>((done) => {
          answer = done;
        });
        return HttpResponse.json([anOrder({ phone: '1', address: '9 Assembly Road' })]);
      }),
    );
    const { user, dialog } = await openBilling();
    await user.type(within(dialog).getByLabelText('Phone'), '555 0100');
    answer();
    await waitFor(() =>
      expect(within(dialog).getByLabelText('Address')).toHaveValue('9 Assembly Road'),
    );
    expect(within(dialog).getByLabelText('Phone')).toHaveValue('555 0100');
  });

  it('doubts a phone and an address that are too short, and orders all the same', async () => {
    answerOrders(placed);
    const { user, dialog } = await openBilling();
    const phone = within(dialog).getByLabelText('Phone');
    await user.type(phone, '5');
    expect(phone).not.toHaveAccessibleDescription();
    await user.type(within(dialog).getByLabelText('Address'), '5');
    expect(phone).toHaveAccessibleDescription(/too short for a phone number/);
    await user.click(within(dialog).getByRole('button', { name: /^Order 50/ }));
    expect(await screen.findByText('Product added to my order')).toBeVisible();
    expect(sent[0]?.body).toMatchObject({ phone: '5', address: '5' });
  });

  it('asks for what is missing, and puts the cursor there', async () => {
    const { user, dialog } = await openBilling();
    await user.click(within(dialog).getByRole('button', { name: /^Order/ }));
    expect(await within(dialog).findByText('Phone is required')).toBeVisible();
    expect(within(dialog).getByText('Address is required')).toBeVisible();
    await waitFor(() => expect(within(dialog).getByLabelText('Phone')).toHaveFocus());
    expect(sent).toHaveLength(0);
  });

  it('shows a changed price, keeps what was typed, and takes one click to accept', async () => {
    answerOrders(
      refuse('price-changed', 409, 'The price has changed.', { price: 6975, unitPrice: 139.5 }),
      placed,
    );
    const { user, dialog } = await openFilled();
    await user.click(within(dialog).getByRole('button', { name: /^Order 50/ }));
    const alert = await within(dialog).findByRole('alert');
    expect(alert).toHaveTextContent(
      'The price has changed to $139.50 each. Your new total for 50 is $6,975.00.',
    );
    expect(within(dialog).getByLabelText('Price')).toHaveValue('$6,975.00');
    expect(within(dialog).getByLabelText('Address')).toHaveValue('1 Workshop Lane');

    await user.click(within(dialog).getByRole('button', { name: 'Order at $6,975.00' }));
    expect(await screen.findByText('Product added to my order')).toBeVisible();
    expect(sent.map((order) => order.body.price)).toEqual([6450, 6975]);
    expect(sent[1]?.key).not.toBe(sent[0]?.key);
  });

  it('reads the unit price out of the total where only that is given', async () => {
    answerOrders(refuse('price-changed', 409, 'The price has changed.', { price: 7000 }));
    const { user, dialog } = await openFilled();
    await user.click(within(dialog).getByRole('button', { name: /^Order 50/ }));
    expect(await within(dialog).findByText(/changed to \$140\.00 each/)).toBeVisible();
  });

  it('says what is left, and sets the quantity to it', async () => {
    answerOrders(refuse('out-of-stock', 409, 'Not enough left.', { available: 70 }), placed);
    const { user, dialog } = await openFilled();
    const quantity = within(dialog).getByLabelText('Quantity');
    await user.clear(quantity);
    await user.type(quantity, '100');
    await user.click(within(dialog).getByRole('button', { name: /^Order 100/ }));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(
      "Only 70 left. We've changed your quantity to 70; you haven't ordered yet.",
    );
    expect(quantity).toHaveValue(70);
    expect(within(dialog).getByLabelText('Price')).toHaveValue('$9,030.00');
    await user.click(within(dialog).getByRole('button', { name: /^Order 70/ }));
    expect(await screen.findByText('Product added to my order')).toBeVisible();
    expect(sent[1]?.body.quantity).toBe(70);
  });

  it('says when what is left is less than the minimum, and offers no further try', async () => {
    answerOrders(refuse('out-of-stock', 409, 'Not enough left.', { available: 20 }));
    const { user, dialog } = await openFilled();
    await user.click(within(dialog).getByRole('button', { name: /^Order 50/ }));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent(
      'Only 20 left; the minimum order is 50. Nothing was ordered.',
    );
    expect(within(dialog).getByRole('button', { name: /^Order/ })).toBeDisabled();
  });

  it("puts each of the shop's messages on its own field", async () => {
    answerOrders(
      refuse('validation', 422, 'Please correct the marked fields.', {
        errors: [
          { field: 'phone', message: 'This is no phone number' },
          { field: 'quantity', message: 'At least 100' },
        ],
      }),
    );
    const { user, dialog } = await openFilled();
    await user.click(within(dialog).getByRole('button', { name: /^Order 50/ }));
    const phone = within(dialog).getByLabelText('Phone');
    await waitFor(() => expect(phone).toHaveAccessibleDescription('This is no phone number'));
    expect(phone).toBeInvalid();
    await waitFor(() => expect(phone).toHaveFocus());
    expect(within(dialog).getByLabelText('Quantity')).toHaveAccessibleDescription(/At least 100/);
    expect(within(dialog).getByLabelText('Address')).toBeValid();
  });

  it('tries again under the same key without an answer, so that it is placed once', async () => {
    answerOrders(
      () => HttpResponse.error(),
      refuse('unavailable', 503, 'The shop is taking a short break.'),
      placed,
    );
    const { user, dialog } = await openFilled();
    await user.click(within(dialog).getByRole('button', { name: /^Order 50/ }));
    expect(await within(dialog).findByRole('alert')).toHaveTextContent("We can't reach the store.");
    expect(within(dialog).queryByRole('button', { name: /^Order/ })).toBeNull();
    await user.click(within(dialog).getByRole('button', { name: 'Try again' }));
    expect(await within(dialog).findByText('The shop is taking a short break.')).toBeVisible();
    await user.click(within(dialog).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Product added to my order')).toBeVisible();
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map((order) => order.key)).size).toBe(1);
  });

  it('keeps what was typed past the end of the session, for the same account only', async () => {
    server.use(
      http.put('http://shop.test/user/:email', () =>
        HttpResponse.json(problem('unauthenticated', 401, 'Please sign in.'), { status: 401 }),
      ),
    );
    answerOrders(refuse('unauthenticated', 401, 'Please sign in.'));
    const first = await openFilled();
    await first.user.click(within(first.dialog).getByRole('button', { name: /^Order 50/ }));
    await waitFor(() => expect(first.store.getState().session.phase).toBe('out'));
    await waitFor(() =>
      expect(readDraft(disc._id, customer.email)).toMatchObject({
        origin: 'interrupted',
        open: true,
      }),
    );
    first.unmount();

    showProduct();
    const dialog = await screen.findByRole('dialog', { name: 'Billing Details' });
    expect(dialog).toHaveTextContent("You were signed out, so the order wasn't placed.");
    expect(within(dialog).getByLabelText('Phone')).toHaveValue('555 0100');
    expect(within(dialog).getByLabelText('Address')).toHaveValue('1 Workshop Lane');

    expect(readDraft(disc._id, 'somebody.else@example.com')).toBeNull();
    expect(sessionStorage).toHaveLength(0);
  });

  it('keeps what was typed when it is closed, without opening itself again', async () => {
    const { user, dialog, unmount } = await openFilled();
    await user.click(within(dialog).getByRole('button', { name: 'Cancel' }));
    unmount();
    showProduct();
    const button = await screen.findByRole('button', { name: 'Purchase' });
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    await user.click(button);
    const again = await screen.findByRole('dialog');
    expect(within(again).getByLabelText('Phone')).toHaveValue('555 0100');
  });

  it('takes a reload for no answer: the same order leaves under the same key, whatever changed since', async () => {
    answerOrders(() => HttpResponse.error(), placed);
    const first = await openFilled();
    const quantity = within(first.dialog).getByLabelText('Quantity');
    await first.user.clear(quantity);
    await first.user.type(quantity, '60');
    await first.user.click(within(first.dialog).getByRole('button', { name: /^Order 60/ }));
    await within(first.dialog).findByRole('alert');
    first.unmount();

    // It had arrived, and took all that was left; besides, the price has changed.
    showProduct({ ...disc, availableQty: 10, price: 140 });
    const dialog = await screen.findByRole('dialog', { name: 'Billing Details' });
    expect(within(dialog).getByRole('alert')).toHaveTextContent(
      "your order of 60 for $7,740.00 won't be placed twice",
    );
    expect(within(dialog).queryByRole('button', { name: /^Order/ })).toBeNull();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Product added to my order')).toBeVisible();
    expect(screen.getByText(/^60 × .*\$7,740\.00\.$/)).toBeVisible();
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
    // Counted already, or not: the shop is asked, nothing is subtracted twice.
    expect(screen.getByText('Available quantity').nextElementSibling).toHaveTextContent('10');
    expect(sessionStorage).toHaveLength(0);
  });

  it('forgets the key of an order as soon as it is answered, also by a refusal', async () => {
    answerOrders(
      () => HttpResponse.error(),
      refuse('price-changed', 409, 'The price has changed.', { price: 7000 }),
    );
    const { user, dialog, unmount } = await openFilled();
    await user.click(within(dialog).getByRole('button', { name: /^Order 50/ }));
    await user.click(await within(dialog).findByRole('button', { name: 'Try again' }));
    await within(dialog).findByText(/The price has changed/);
    unmount();
    showProduct();
    const again = await screen.findByRole('dialog', { name: 'Billing Details' });
    expect(within(again).queryByRole('alert')).not.toBeInTheDocument();
    await userEvent.click(within(again).getByRole('button', { name: /^Order 50/ }));
    await waitFor(() => expect(sent).toHaveLength(3));
    expect(sent[1]?.key).toBe(sent[0]?.key);
    expect(sent[2]?.key).not.toBe(sent[0]?.key);
  });

  it('keeps an unanswered order from everybody else, and for no longer than the shop remembers it', async () => {
    answerOrders(() => HttpResponse.error());
    const { user, dialog } = await openFilled();
    await user.click(within(dialog).getByRole('button', { name: /^Order 50/ }));
    await within(dialog).findByRole('alert');
    const kept = readUnanswered(disc._id, customer.email);
    expect(kept?.key).toBe(sent[0]?.key);
    expect(readUnanswered(disc._id, 'somebody.else@example.com')).toBeNull();
    expect(readUnanswered(disc._id, customer.email)).toBeNull();
    if (kept) keepUnanswered({ ...kept, since: Date.now() - 24 * 60 * 60_000 });
    expect(readUnanswered(disc._id, customer.email)).toBeNull();
  });
});

describe('ordering again', () => {
  const draft: Draft = {
    owner: customer.email,
    open: true,
    origin: 'again',
    name: 'Casey at Work',
    phone: '555 0199',
    address: '2 Ramp Road',
    quantity: '500',
  };

  it('opens Billing Details as the earlier order had it, as far as the stock goes', async () => {
    keepDraft(disc._id, draft);
    showProduct({ ...disc, availableQty: 300 });
    const dialog = await screen.findByRole('dialog', { name: 'Billing Details' });
    expect(within(dialog).getByRole('note')).toHaveTextContent(
      "We've filled this in from your previous order.",
    );
    expect(within(dialog).getByLabelText('Name')).toHaveValue('Casey at Work');
    expect(within(dialog).getByLabelText('Phone')).toHaveValue('555 0199');
    expect(within(dialog).getByLabelText('Address')).toHaveValue('2 Ramp Road');
    expect(within(dialog).getByLabelText('Quantity')).toHaveValue(300);
    expect(within(dialog).getByLabelText('Price')).toHaveValue('$38,700.00');
    expect(within(dialog).getByRole('status')).toHaveTextContent(
      'Quantity adjusted to 300 (all we have).',
    );
  });

  it('opens no form for what cannot be ordered now, and says why', async () => {
    keepDraft(disc._id, draft);
    showProduct({ ...disc, availableQty: 0 });
    expect(await screen.findByText('Sold out. The minimum order is 50 units.')).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

  it('says that the product is gone, offers the shop and forgets what was filled in', async () => {
    keepDraft('gone', draft);
    server.use(
      http.get('http://shop.test/products/:id', () =>
        HttpResponse.json(problem('not-found', 404, 'No such product.'), { status: 404 }),
      ),
    );
    renderApp(
      <Routes>
        <Route path="/product/:productId" element={<ProductPage />} />
      </Routes>,
      { at: '/product/gone', user: customer },
    );
    expect(await screen.findByText('This product is no longer available')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to the shop' })).toHaveAttribute('href', '/shop');
    expect(sessionStorage).toHaveLength(0);
  });
});
