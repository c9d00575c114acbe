import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeToken } from '@/api/access-token';
import { countries } from '@/features/addresses/fixture';
import type { BookAddress } from '@/features/addresses/wire';
import { aCartLine, pads, shopKeepsCart } from '@/testing/cart';
import { disc, problem } from '@/testing/orders';
import { aCheck } from '@/testing/purchases';
import { address, customer, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import { ToastHost } from '@/ui/toast-host';
import CheckoutPage from './pages/checkout-page';
import type { CheckoutCheck, CheckoutRequest, RefusedLine } from './wire';

const workshop: BookAddress = {
  _id: 'a1',
  name: 'Casey Lane',
  company: 'Lane Workshop',
  line1: '12 Foundry Road',
  line2: '',
  city: 'Gearton',
  region: 'OH',
  postcode: '43004',
  country: 'US',
  phone: '555 0100',
  isDefault: true,
};

let checked: CheckoutRequest[] = [];
let placed: { body: CheckoutRequest; key: string | null }[] = [];
let saved: unknown[] = [];

const refusal =
  (status: number, slug: string, message: string, more: object = {}) =>
  () =>
    HttpResponse.json(problem(slug, status, message, more), { status });

const placedAnswer = (facts: object = {}) =>
  HttpResponse.json(
    {
      checkoutId: 'purchase-1',
      number: 'P-1042',
      lines: [
        { line: 1, orderId: 'order-1', productId: disc._id, quantity: 50, price: 6450, due: 6450 },
      ],
      refused: [],
      goods: 6450,
      shipping: 0,
      tax: 0,
      due: 6450,
      ...facts,
    },
    { status: 201 },
  );

interface Shop {
  book?: BookAddress[];
  check?: (body: CheckoutRequest) => CheckoutCheck | Response;
  place?: () => Response;
}

function shop({ book = [], check = () => aCheck(), place = () => placedAnswer() }: Shop = {}) {
  server.use(
    http.get('*/countries', () => HttpResponse.json(countries)),
    http.get('*/addresses', () => HttpResponse.json(book)),
    http.post('*/addresses', async ({ request }) => {
      saved.push(await request.json());
      return HttpResponse.json({ insertedId: 'a2' }, { status: 201 });
    }),
    http.post('*/checkouts/check', async ({ request }) => {
      const body = (await request.json()) as CheckoutRequest;
      checked.push(body);
      const answer = check(body);
      return answer instanceof Response ? answer : HttpResponse.json(answer);
    }),
    http.post('*/checkouts', async ({ request }) => {
      placed.push({
        body: (await request.json()) as CheckoutRequest,
        key: request.headers.get('Idempotency-Key'),
      });
      return place();
    }),
  );
}

function open() {
  const view = renderScreens(
    {
      '/dashboard/checkout': (
        <>
          <CheckoutPage />
          <ToastHost />
        </>
      ),
    },
    { user: customer, at: '/dashboard/checkout' },
  );
  return { user: userEvent.setup(), ...view };
}

type Typing = ReturnType<typeof userEvent.setup>;

async function fill(user: Typing) {
  await user.type(await screen.findByLabelText('Phone'), '555 0199');
  await user.type(screen.getByLabelText('Address'), '7 Camshaft Bay');
  await user.type(screen.getByLabelText('City'), 'Gearton');
  await user.selectOptions(screen.getByLabelText('State'), 'OH');
  await user.type(screen.getByLabelText('ZIP code'), '43004');
}

const placeButton = () => screen.findByRole('button', { name: /^Place order for/ });
const summary = () => within(screen.getByRole('region', { name: 'Summary' }));

beforeEach(() => {
  checked = [];
  placed = [];
  saved = [];
  storeToken('token');
});

describe('the checkout', () => {
  it('says what to do with an empty basket', async () => {
    shopKeepsCart();
    shop();
    open();
    expect(screen.getByRole('status', { name: 'Loading your checkout' })).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'Your basket is empty' })).toBeVisible();
  });

  it('asks for an address as the country writes it, in words that browsers fill in', async () => {
    shopKeepsCart(aCartLine());
    shop();
    const { user } = open();
    const zip = await screen.findByLabelText('ZIP code');
    expect(zip).toHaveAttribute('autocomplete', 'shipping postal-code');
    expect(screen.getByLabelText('Address')).toHaveAttribute(
      'autocomplete',
      'shipping address-line1',
    );
    expect(screen.getByLabelText('State')).toHaveAttribute(
      'autocomplete',
      'shipping address-level1',
    );
    await user.selectOptions(screen.getByLabelText('Country'), 'DE');
    expect(screen.queryByLabelText('State')).toBeNull();
    const order = screen.getAllByRole('textbox').map((field) => field.getAttribute('name'));
    expect(order.indexOf('postcode')).toBeLessThan(order.indexOf('city'));
    expect(screen.getByLabelText('Postcode')).toBeVisible();
  });

  it('sums up once the address is whole, and follows what is typed', async () => {
    shopKeepsCart(aCartLine());
    shop({
      check: ({ address: { country } }) =>
        country === 'DE'
          ? aCheck({
              tax: 1225.5,
              taxes: [{ name: 'VAT', basisPoints: 1900, base: 6450, tax: 1225.5 }],
              shipping: 40,
              due: 7715.5,
            })
          : aCheck(),
    });
    const { user } = open();
    await screen.findByLabelText('Phone');
    expect(summary().getAllByText('After the address')).toHaveLength(2);
    expect(checked).toEqual([]);
    await fill(user);
    expect(await placeButton()).toHaveTextContent('Place order for $6,450.00');
    expect(summary().getByText('Free')).toBeVisible();
    expect(summary().getByText('No tax')).toBeVisible();
    expect(checked).toHaveLength(1);
    expect(checked[0]).toMatchObject({
      lines: [{ productId: disc._id, quantity: 50, price: 6450 }],
      address: {
        line1: '7 Camshaft Bay',
        city: 'Gearton',
        region: 'OH',
        postcode: '43004',
        country: 'US',
      },
      terms: 'card',
    });
    await user.selectOptions(screen.getByLabelText('Country'), 'DE');
    expect(await screen.findByText('VAT 19%')).toBeVisible();
    expect(summary().getByText('$1,225.50')).toBeVisible();
    expect(summary().getByText('$7,715.50')).toBeVisible();
    expect(checked.at(-1)?.address).not.toHaveProperty('region');
  });

  it('puts the keyboard at the first thing that is missing, and sends nothing', async () => {
    shopKeepsCart(aCartLine());
    shop();
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Place order' }));
    const phone = screen.getByLabelText('Phone');
    await waitFor(() => expect(phone).toHaveFocus());
    expect(phone).toHaveAccessibleDescription(/Phone is required/);
    expect(screen.getByText('State is required')).toBeVisible();
    expect(placed).toEqual([]);
  });

  it('places all of it under one key, empties the basket and leads to the payment', async () => {
    const cart = shopKeepsCart(aCartLine());
    shop();
    const { user } = open();
    await fill(user);
    await user.type(screen.getByLabelText('PO number'), ' PO-7781 ');
    await user.click(await placeButton());
    await waitFor(() => expect(address()).toBe('/dashboard/pay/checkout/purchase-1'));
    expect(placed).toHaveLength(1);
    expect(placed[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(placed[0]?.body).toEqual({
      lines: [{ productId: disc._id, quantity: 50, price: 6450 }],
      contact: { name: 'Casey Lane', phone: '555 0199', email: customer.email },
      address: {
        country: 'US',
        line1: '7 Camshaft Bay',
        city: 'Gearton',
        region: 'OH',
        postcode: '43004',
      },
      poNumber: 'PO-7781',
      terms: 'card',
    });
    expect(cart.cart.lines).toEqual([]);
    expect(Object.keys(sessionStorage)).toEqual([]);
  });

  it('fills in the usual address, and keeps a new one if asked to', async () => {
    shopKeepsCart(aCartLine());
    shop({ book: [workshop] });
    const { user } = open();
    expect(await screen.findByLabelText('Address')).toHaveValue('12 Foundry Road');
    expect(screen.getByLabelText('Phone')).toHaveValue('555 0100');
    expect(screen.queryByRole('checkbox', { name: /Save this address/ })).toBeNull();
    await user.selectOptions(screen.getByLabelText('Saved address'), 'Another address');
    expect(screen.getByLabelText('Address')).toHaveValue('');
    await user.type(screen.getByLabelText('Address'), '7 Camshaft Bay');
    await user.type(screen.getByLabelText('City'), 'Gearton');
    await user.selectOptions(screen.getByLabelText('State'), 'OH');
    await user.type(screen.getByLabelText('ZIP code'), '43004');
    await user.click(screen.getByRole('checkbox', { name: /Save this address/ }));
    await user.click(await placeButton());
    await waitFor(() => expect(address()).toBe('/dashboard/pay/checkout/purchase-1'));
    await waitFor(() =>
      expect(saved).toEqual([
        {
          country: 'US',
          line1: '7 Camshaft Bay',
          city: 'Gearton',
          region: 'OH',
          postcode: '43004',
          name: 'Casey Lane',
          phone: '555 0100',
          isDefault: false,
        },
      ]),
    );
  });

  it('keeps what was typed past a reload', async () => {
    shopKeepsCart(aCartLine());
    shop();
    const { user, unmount } = open();
    await fill(user);
    await user.type(screen.getByLabelText('PO number'), 'PO-7781');
    unmount();
    open();
    expect(await screen.findByLabelText('PO number')).toHaveValue('PO-7781');
    expect(screen.getByLabelText('Address')).toHaveValue('7 Camshaft Bay');
    expect(screen.getByLabelText('State')).toHaveValue('OH');
  });

  it("puts the shop's words at their fields, and keeps the rest", async () => {
    shopKeepsCart(aCartLine());
    shop({
      place: refusal(422, 'invalid', 'Please check the fields.', {
        errors: [{ field: 'address.postcode', message: 'There is no such ZIP code.' }],
      }),
    });
    const { user } = open();
    await fill(user);
    await user.click(await placeButton());
    const zip = screen.getByLabelText('ZIP code');
    await waitFor(() => expect(zip).toHaveAccessibleDescription('There is no such ZIP code.'));
    expect(zip).toHaveFocus();
    expect(screen.getByLabelText('City')).toHaveValue('Gearton');
    expect(address()).toBe('/dashboard/checkout');
  });

  it('shows a refused line at its place with the ways out, and goes there first', async () => {
    const cart = shopKeepsCart(aCartLine(), pads);
    shop({
      book: [workshop],
      check: ({ lines }) =>
        aCheck({
          refused: lines.flatMap(({ productId, quantity }, place) =>
            productId === pads.productId && quantity > 40 && lines.length === 2
              ? [
                  {
                    line: place + 1,
                    reason: 'out-of-stock',
                    message: 'Only 20 left of DL-2000.',
                    available: 20,
                  },
                ]
              : [],
          ),
        }),
    });
    const { user } = open();
    const said = await screen.findByText('Only 20 left of DL-2000.');
    const line = said.closest('li') as HTMLElement;
    expect(line).toHaveTextContent('Ceramic Brake Pads');
    await user.click(await placeButton());
    expect(line.querySelector('[data-refused]')).toHaveFocus();
    expect(placed).toEqual([]);
    expect(screen.getByText("1 line can't be ordered as it is. Fix it to go on.")).toBeVisible();
    await user.click(within(line).getByRole('button', { name: /^Remove from order/ }));
    await waitFor(() => expect(screen.queryByText('Only 20 left of DL-2000.')).toBeNull());
    expect(cart.cart.lines).toHaveLength(1);
  });

  it('takes the price of now where it has moved', async () => {
    const cart = shopKeepsCart(aCartLine({ price: 6000 }));
    shop({
      book: [workshop],
      check: ({ lines }) =>
        aCheck({
          refused:
            lines[0]?.price === 6450
              ? []
              : [
                  {
                    line: 1,
                    reason: 'price-changed',
                    message: 'It costs $6,450.00 now.',
                    price: 6450,
                  },
                ],
        }),
    });
    const { user } = open();
    await screen.findByText('It costs $6,450.00 now.');
    await user.click(screen.getByRole('button', { name: 'Order at $6,450.00' }));
    await waitFor(() => expect(screen.queryByText('It costs $6,450.00 now.')).toBeNull());
    expect(cart.sent.at(-1)).toContain('"price":6450');
  });

  it('asks again what the lines are worth when the shop refuses them', async () => {
    shopKeepsCart(aCartLine());
    shop({
      book: [workshop],
      place: refusal(409, 'out-of-stock', 'Only 10 left.'),
    });
    const { user } = open();
    await user.click(await placeButton());
    expect(await screen.findByText('Only 10 left.')).toBeVisible();
    expect(screen.getByText('Nothing was ordered.')).toBeVisible();
    await waitFor(() => expect(checked.length).toBeGreaterThan(1));
    await user.click(await placeButton());
    await waitFor(() => expect(placed).toHaveLength(2));
    expect(placed[0]?.key).not.toBe(placed[1]?.key);
  });

  it('says that it does not know, and sends the same again under the same key, also after a reload', async () => {
    shopKeepsCart(aCartLine());
    let away = true;
    shop({
      book: [workshop],
      place: () => (away ? HttpResponse.error() : placedAnswer()),
    });
    const { user, unmount } = open();
    await user.click(await placeButton());
    expect(await screen.findByText(/don't know whether your order went through/)).toBeVisible();
    unmount();
    away = false;
    const again = open().user;
    expect(await screen.findByText(/won't be placed twice/)).toBeVisible();
    await again.click(screen.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(address()).toBe('/dashboard/pay/checkout/purchase-1'));
    expect(placed).toHaveLength(2);
    expect(placed[1]).toEqual(placed[0]);
  });

  it('says what happens next where the shop has to quote the freight', async () => {
    shopKeepsCart(aCartLine());
    shop({
      book: [workshop],
      check: ({ shippingMethod }) => {
        const shippingMethods = [
          { _id: 'm1', name: 'Standard delivery', price: 0 },
          { _id: 'm2', name: 'Pallet freight', price: null },
        ];
        return shippingMethod === 'm2'
          ? aCheck({ shippingMethods, shippingMethod: 'm2', shipping: null, tax: null, due: null })
          : aCheck({ shippingMethods });
      },
      place: () => placedAnswer({ shipping: null, tax: null, due: null }),
    });
    const { user } = open();
    await user.click(await screen.findByRole('radio', { name: /^Pallet freight/ }));
    expect(await screen.findByText('Total before freight')).toBeVisible();
    expect(summary().getByText('We quote it')).toBeVisible();
    expect(summary().getByText(/you pay after that/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Place order' }));
    await waitFor(() => expect(address()).toBe('/dashboard/purchase/purchase-1'));
    expect(placed[0]?.body.shippingMethod).toBe('m2');
  });

  it('offers an account where the shop does, and asks for no card then', async () => {
    shopKeepsCart(aCartLine());
    shop({ book: [workshop], check: () => aCheck({ terms: ['card', 'account'] }) });
    const { user } = open();
    await user.click(await screen.findByRole('radio', { name: /^On account/ }));
    await user.click(await placeButton());
    await waitFor(() => expect(address()).toBe('/dashboard/purchase/purchase-1'));
    expect(placed[0]?.body.terms).toBe('account');
  });

  it('leads to the payment of a plain order where there is one line', async () => {
    shopKeepsCart(aCartLine());
    shop({ book: [workshop], place: () => placedAnswer({ checkoutId: null, number: null }) });
    const { user } = open();
    await user.click(await placeButton());
    await waitFor(() => expect(address()).toBe('/dashboard/payment/order-1'));
  });

  it('has no freight to choose for one line, and asks for no card above its limit', async () => {
    shopKeepsCart(aCartLine());
    shop({
      book: [workshop],
      check: () => aCheck({ shippingMethods: [], shippingMethod: null, due: 1_000_000 }),
      place: () => placedAnswer({ due: 1_000_000 }),
    });
    const { user } = open();
    expect(await screen.findByText('Delivery is included with this order.')).toBeVisible();
    expect(screen.getByText(/Cards can pay up to/)).toBeVisible();
    expect(screen.getByRole('radio', { name: /^On account/ })).toBeChecked();
    await user.click(await placeButton());
    await waitFor(() => expect(address()).toBe('/dashboard/purchase/purchase-1'));
    expect(placed[0]?.body.terms).toBe('account');
  });

  it('takes the part that replaced another, and the minimum that was not met', async () => {
    const cart = shopKeepsCart(aCartLine({ quantity: 20 }), pads);
    shop({
      book: [workshop],
      check: ({ lines }) =>
        aCheck({
          refused: lines.flatMap(({ productId, quantity }, place): RefusedLine[] => {
            const at = { line: place + 1, message: 'Not like this.' };
            if (productId === pads.productId) {
              return [{ ...at, reason: 'replaced', replacedBy: 'new-pads' }];
            }
            return quantity < 50 ? [{ ...at, reason: 'quantity', minOrder: 50 }] : [];
          }),
        }),
    });
    const { user } = open();
    await user.click(await screen.findByRole('button', { name: 'Raise to 50' }));
    await waitFor(() => expect(cart.cart.lines[0]?.quantity).toBe(50));
    await user.click(await screen.findByRole('button', { name: 'Order the new part instead' }));
    await waitFor(() => expect(cart.cart.lines[1]?.productId).toBe('new-pads'));
    await waitFor(() => expect(screen.queryByText('Not like this.')).toBeNull());
  });

  it('says that the total did not come, and asks again', async () => {
    shopKeepsCart(aCartLine());
    let broken = true;
    shop({
      book: [workshop],
      check: () =>
        broken
          ? HttpResponse.json(problem('internal', 500, 'Not now.'), { status: 500 })
          : aCheck(),
    });
    const { user } = open();
    expect(await screen.findByText("We couldn't update the total. Not now.")).toBeVisible();
    broken = false;
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await placeButton()).toHaveTextContent('$6,450.00');
  });
});
