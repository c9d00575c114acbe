import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { readToken, storeToken } from '@/api/access-token';
import type { Order } from '@/api/types';
import { anOrder, paidWith, problem } from '@/testing/orders';
import { address, customer, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import MyOrdersPage from './pages/my-orders-page';
import OrderTablePage from './pages/order-table-page';

const shipped = anOrder({ _id: 'o1', ...paidWith('pi_1'), status: 'paid', quantity: 1200 });
const waiting = anOrder({ _id: 'o2', ...paidWith('pi_2'), productName: 'All-Season Tire' });
const unpaid = anOrder({ _id: 'o3', price: 6450.5 });
const onAccount = anOrder({ _id: 'o4', status: 'paid' });

function answer(orders: Order[]) {
  server.use(
    http.get('http://shop.test/orders', ({ request }) => {
      expect(new URL(request.url).searchParams.get('email')).toBe(customer.email);
      return HttpResponse.json(orders);
    }),
  );
}

const screens = {
  '/dashboard/orderTable': <OrderTablePage />,
  '/dashboard/myOrders': <MyOrdersPage />,
};

function show(page: 'orderTable' | 'myOrders') {
  return renderScreens(screens, { at: `/dashboard/${page}`, user: customer });
}

describe('the order table', () => {
  it('counts the orders and shows the columns of the spec', async () => {
    answer([shipped, waiting, unpaid, onAccount]);
    show('orderTable');
    expect(await screen.findByRole('heading', { level: 1, name: 'My Orders: 4' })).toBeVisible();
    expect(screen.getAllByRole('columnheader').map((head) => head.textContent)).toEqual([
      'No.',
      'Name',
      'Product Name',
      'Quantity',
      'Price',
      'Payment',
      'Status',
    ]);
  });

  it('keeps payment and fulfilment apart in each of their four combinations', async () => {
    answer([shipped, waiting, unpaid, onAccount]);
    show('orderTable');
    await screen.findByRole('table');
    const cells = screen
      .getAllByRole('row')
      .slice(1)
      .map((row) => within(row).getAllByRole('cell'));
    const said = cells.map((row) => [row[5]?.textContent, row[6]?.textContent]);
    expect(said).toEqual([
      ['Paid', 'Shipped'],
      ['Paid', 'Pending Approval'],
      [`Pay Now for ${unpaid.productName}`, 'Pending ApprovalNot Paid yet'],
      [`Pay Now for ${onAccount.productName}`, 'ShippedNot Paid yet'],
    ]);
    expect(cells[0]?.[3]).toHaveTextContent('1,200');
    expect(cells[2]?.[4]).toHaveTextContent('$6,450.50');
    expect(within(cells[2]?.[5] as HTMLElement).getByRole('link')).toHaveAttribute(
      'href',
      '/dashboard/payment/o3',
    );
  });

  it('names order, day and part below the product, where the part has a number', async () => {
    answer([unpaid, anOrder({ _id: 'o9', number: 'DL-10430', partNumber: null })]);
    show('orderTable');
    await screen.findByRole('table');
    const [, numbered, bare] = screen.getAllByRole('row');
    expect(numbered).toHaveTextContent('Order DL-10428 · Mar 1, 2026 · Part DL-1000');
    expect(bare).toHaveTextContent('Order DL-10430 · Mar 1, 2026');
    expect(bare).not.toHaveTextContent('Part');
  });

  it('cuts a long product name at 20 characters, for the eye only', async () => {
    answer([unpaid, waiting]);
    show('orderTable');
    await screen.findByRole('table');
    expect(screen.getByTitle(unpaid.productName)).toHaveTextContent(/^Vented Brake Disc 32…$/);
    expect(screen.getAllByText(unpaid.productName).length).toBeGreaterThan(0);
    expect(screen.queryByTitle('All-Season Tire')).not.toBeInTheDocument();
  });

  it('says refunded of money that went back, and offers no payment', async () => {
    const payment = { product: 'o5', transactionId: 'pi_5', status: 'refunded' as const };
    answer([anOrder({ _id: 'o5', payment })]);
    show('orderTable');
    expect(await screen.findByText('Refunded')).toBeVisible();
    expect(screen.queryByRole('link', { name: /Pay Now/ })).not.toBeInTheDocument();
  });

  it('shows that it loads, then says that it is empty and where to go', async () => {
    server.use(
      http.get('http://shop.test/orders', async () => {
        await delay(30);
        return HttpResponse.json([]);
      }),
    );
    show('orderTable');
    expect(screen.getByRole('status', { name: 'Loading orders' })).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'No orders yet' })).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'My Orders: 0' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to the shop' })).toHaveAttribute('href', '/shop');
  });

  it('says what failed and tries again', async () => {
    let broken = true;
    server.use(
      http.get('http://shop.test/orders', () =>
        broken
          ? HttpResponse.json(problem('internal', 500, 'The shop stumbled.'), { status: 500 })
          : HttpResponse.json([unpaid]),
      ),
    );
    show('orderTable');
    expect(await screen.findByText("We couldn't load your orders")).toBeVisible();
    expect(screen.getByText('The shop stumbled.')).toBeVisible();
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('table')).toBeVisible();
  });
});

describe('My Orders', () => {
  it('offers payment and cancelling for what is unpaid, and a disabled Paid for the rest', async () => {
    answer([unpaid, waiting]);
    show('myOrders');
    const cards = await screen.findAllByRole('article');
    const [open, done] = cards as [HTMLElement, HTMLElement];
    expect(within(open).getByRole('link', { name: /^Payment/ })).toHaveAttribute(
      'href',
      '/dashboard/payment/o3',
    );
    expect(within(open).getByRole('button', { name: /^Cancel order/ })).toBeEnabled();
    expect(within(done).getByRole('button', { name: 'Paid' })).toBeDisabled();
    expect(within(done).queryByRole('button', { name: /^Cancel order/ })).not.toBeInTheDocument();
    expect(within(done).queryByRole('link', { name: /^Payment/ })).not.toBeInTheDocument();
  });

  it('wears amber only while it is unpaid, and green once it is paid', async () => {
    answer([unpaid, waiting]);
    show('myOrders');
    const [open, done] = await screen.findAllByRole('article');
    expect(within(open as HTMLElement).getByText('Pending Approval')).toHaveClass('text-warning');
    const card = within(done as HTMLElement);
    expect(card.getByText('Pending Approval')).not.toHaveClass('text-warning');
    expect(card.getByText('Paid', { selector: '.badge' })).toHaveClass('text-success');
  });

  it('says below the price what it is made of', async () => {
    answer([anOrder({ quantity: 75, unitPrice: 29.6, price: 2220 })]);
    show('myOrders');
    const card = within(await screen.findByRole('article'));
    expect(card.getByText('75 × $29.60')).toBeVisible();
    expect(card.getByText('Price')).toBeVisible();
  });

  it('says what an order is called, and until when an unpaid one is kept', async () => {
    const reservedUntil = '2026-03-01T11:00:00Z';
    answer([anOrder({ _id: 'o5', number: 'DL-10429', reservedUntil }), shipped]);
    show('myOrders');
    const [kept, gone] = await screen.findAllByRole('article');
    expect(kept).toHaveTextContent(/Order DL-10429 · Mar 1, 2026 · Part DL-1000/);
    expect(kept).toHaveTextContent(/Reserved until Mar 1, 2026, .*M\. If it isn't paid by then/);
    expect(gone).toHaveTextContent(/Order DL-10428/);
    expect(gone).not.toHaveTextContent('Reserved until');
  });

  it('offers no card for an order that is too large for one, and says how it is paid', async () => {
    answer([anOrder({ _id: 'o6', price: 1_290_000, payableByCard: false })]);
    show('myOrders');
    const large = await screen.findByRole('article');
    expect(large).toHaveTextContent(/Too large to pay by card/);
    expect(within(large).queryByRole('link', { name: /^Payment/ })).not.toBeInTheDocument();
  });

  it('lets nobody cancel what is shipped, and says why', async () => {
    answer([onAccount]);
    show('myOrders');
    const button = await screen.findByRole('button', { name: /^Cancel order/ });
    expect(button).toBeDisabled();
    expect(button).toHaveAccessibleDescription("Shipped orders can't be canceled.");
  });

  it("cancels after the spec's question, with its line break", async () => {
    let orders = [unpaid, waiting];
    server.use(
      http.get('http://shop.test/orders', () => HttpResponse.json(orders)),
      http.delete('http://shop.test/orders/:id', ({ params }) => {
        orders = orders.filter((order) => order._id !== params.id);
        return HttpResponse.json({ deletedCount: 1 });
      }),
    );
    const user = userEvent.setup();
    show('myOrders');
    await user.click(await screen.findByRole('button', { name: /^Cancel order/ }));
    const dialog = screen.getByRole('alertdialog');
    expect(within(dialog).getByText(/Are you sure/).textContent).toBe(
      'Are you sure\nYou want to delete this order..!?',
    );
    await user.click(within(dialog).getByRole('button', { name: 'No' }));
    expect(screen.queryByRole('alertdialog')).not.toBeInTheDocument();
    expect(orders).toHaveLength(2);

    await user.click(screen.getByRole('button', { name: /^Cancel order/ }));
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Order canceled');
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(1));
  });

  it('says inside the question why it could not be cancelled', async () => {
    answer([unpaid]);
    server.use(
      http.delete('http://shop.test/orders/:id', () =>
        HttpResponse.json(problem('already-paid', 409, 'This order was paid meanwhile.'), {
          status: 409,
        }),
      ),
    );
    const user = userEvent.setup();
    show('myOrders');
    await user.click(await screen.findByRole('button', { name: /^Cancel order/ }));
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await within(screen.getByRole('alertdialog')).findByRole('alert')).toHaveTextContent(
      'This order was paid meanwhile.',
    );
  });

  it('keeps the archive apart, under addresses of its own', async () => {
    const gone = anOrder({ _id: 'o7', cancelledAt: '2026-03-02T10:00:00Z' });
    const requested: (string | null)[] = [];
    server.use(
      http.get('http://shop.test/orders', ({ request }) => {
        const state = new URL(request.url).searchParams.get('state');
        requested.push(state);
        return HttpResponse.json(state === null ? [waiting] : state === 'cancelled' ? [gone] : []);
      }),
    );
    const user = userEvent.setup();
    show('myOrders');
    expect(await screen.findByText('Pending Approval')).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Canceled' }));
    await waitFor(() => expect(address()).toBe('/dashboard/myOrders?state=cancelled'));
    const card = within(await screen.findByRole('article'));
    expect(card.getByText('Canceled')).toBeVisible();
    expect(card.queryByRole('link', { name: /^Payment/ })).not.toBeInTheDocument();
    expect(card.queryByRole('button', { name: /^Cancel order/ })).not.toBeInTheDocument();
    await user.click(screen.getByRole('link', { name: 'Refunded' }));
    expect(await screen.findByRole('heading', { name: 'No refunded orders' })).toBeVisible();
    expect(requested).toEqual([null, 'cancelled', 'refunded']);
  });

  it('shows the history of an order when it is asked for', async () => {
    answer([onAccount]);
    server.use(
      http.get('http://shop.test/orders/o4/events', () =>
        HttpResponse.json([
          {
            _id: 'e1',
            what: 'ordered',
            who: customer.email,
            when: onAccount.createdAt,
            quantity: 50,
            price: 6450,
          },
          {
            _id: 'e2',
            what: 'shipped',
            who: 'Driveline',
            when: onAccount.createdAt,
            onAccount: true,
          },
        ]),
      ),
    );
    show('myOrders');
    await userEvent.click(await screen.findByText('History'));
    expect(await screen.findByText('Ordered: 50 for $6,450.00')).toBeInTheDocument();
    expect(screen.getByText('Shipped on account (payment due)')).toBeInTheDocument();
  });
});

describe('orders that the shop refuses', () => {
  beforeEach(() => storeToken('stale.token.x'));

  it.each([
    ['orderTable', 403],
    ['myOrders', 403],
    ['myOrders', 401],
  ] as const)('%s signs out on a %i, clears the token and goes Home', async (page, status) => {
    let loggedOut = 0;
    server.use(
      http.get('http://shop.test/orders', () =>
        HttpResponse.json(problem('refused', status, 'No.'), { status }),
      ),
      http.put('http://shop.test/user/:email', () =>
        HttpResponse.json(problem('unauthenticated', 401, 'No.'), { status: 401 }),
      ),
      http.post('http://shop.test/auth/logout', () => {
        loggedOut += 1;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const { store } = show(page);
    await waitFor(() => expect(address()).toBe('/'));
    expect(store.getState().session.phase).toBe('out');
    expect(readToken()).toBeNull();
    expect(loggedOut).toBe(1);
  });
});
