import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import type { Order, OrderCounts } from '@/api/types';
import { anOrder, paidWith, problem } from '@/testing/orders';
import { matchesSearch, pageOf } from '@/testing/pages';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import { PAGE_SIZE } from '../shared/use-list-address';
import AllOrderListPage from './pages/all-order-list-page';
import OrdersPage from './pages/orders-page';

const unpaid = anOrder({ _id: 'o1' });
const paid = anOrder({ _id: 'o2', ...paidWith('pi_2'), name: 'Dana Reed' });
const shipped = anOrder({ _id: 'o3', ...paidWith('pi_3'), status: 'paid' });

const counts: OrderCounts = {
  readyToShip: 7,
  awaitingPayment: 2,
  shipped: 1234,
  needsAttention: 3,
  refunded: 5,
  cancelled: 20,
  all: 1263,
};

function isAt(order: Order, state: string): boolean {
  if (state === 'unpaid') return !order.paid;
  return (state === 'shipped') === (order.status === 'paid');
}

function shop(orders: Order[]) {
  let kept = orders;
  const requested: URLSearchParams[] = [];
  server.use(
    http.get('http://shop.test/orderCounts', () => HttpResponse.json(counts)),
    http.get('http://shop.test/allOrders', ({ request }) => {
      const params = new URL(request.url).searchParams;
      requested.push(params);
      const found = kept.filter((order) => {
        const state = params.get('state');
        const text = [order.name, order.email, order.productName, order.phone, order._id].join(' ');
        return matchesSearch(text, params.get('q')) && (state === null || isAt(order, state));
      });
      return pageOf(found, request);
    }),
    http.put('http://shop.test/orders/status/:id', ({ params }) => {
      kept = kept.map((order) => (order._id === params.id ? { ...order, status: 'paid' } : order));
      return HttpResponse.json({ modifiedCount: 1 });
    }),
    http.delete('http://shop.test/orders/:id', ({ params }) => {
      kept = kept.filter((order) => order._id !== params.id);
      return HttpResponse.json({ deletedCount: 1 });
    }),
  );
  return { requested };
}

/** What was asked for last, but for the count of all orders. */
const listed = (requested: URLSearchParams[]) =>
  requested.filter((params) => params.get('limit') !== '1').at(-1);

describe('Orders', () => {
  it('counts them, or says that there are none yet', async () => {
    shop([unpaid, paid, shipped]);
    const { unmount } = renderApp(<OrdersPage />, { user: customer });
    expect(await screen.findByRole('heading', { level: 1, name: 'Total Orders: 3' })).toBeVisible();
    unmount();

    shop([]);
    renderApp(<OrdersPage />, { user: customer });
    expect(await screen.findByRole('heading', { level: 1, name: 'No Orders Yet' })).toBeVisible();
  });

  it('switches off both buttons of a shipped order, and deleting of a paid one, with the reason', async () => {
    shop([unpaid, paid, shipped]);
    renderApp(<OrdersPage />, { user: customer });
    const [first, second, third] = (await screen.findAllByRole('article')) as [
      HTMLElement,
      HTMLElement,
      HTMLElement,
    ];
    expect(within(first).getByRole('button', { name: /^Approve Booking/ })).toBeEnabled();
    expect(within(first).getByRole('button', { name: /^Delete Order/ })).toBeEnabled();
    expect(within(second).getByRole('button', { name: /^Approve Booking/ })).toBeEnabled();
    const paidDelete = within(second).getByRole('button', { name: /^Delete Order/ });
    expect(paidDelete).toBeDisabled();
    expect(paidDelete).toHaveAccessibleDescription(
      "Paid orders can't be deleted. Refund this one instead.",
    );
    expect(within(third).getByRole('button', { name: /^Shipped/ })).toBeDisabled();
    expect(within(third).getByRole('button', { name: /^Delete Order/ })).toBeDisabled();
  });

  it('ships a paid order after the question, and says so', async () => {
    shop([paid]);
    const user = userEvent.setup();
    renderApp(<OrdersPage />, { user: customer });
    await user.click(await screen.findByRole('button', { name: /^Approve Booking/ }));
    const dialog = screen.getByRole('alertdialog');
    expect(within(dialog).getByText('Ship This Boat..!?')).toBeVisible();
    expect(dialog).toHaveTextContent(
      `50 × ${paid.productName} (DL-1000), for Dana Reed, 1 Workshop Lane.`,
    );
    expect(dialog).not.toHaveTextContent('on account');
    await user.click(within(dialog).getByRole('button', { name: 'Yes' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Product Shipped...!!!');
    expect(await screen.findByRole('button', { name: /^Shipped/ })).toBeDisabled();
  });

  it('says before shipping an unpaid order that this approves it on account', async () => {
    shop([unpaid]);
    const user = userEvent.setup();
    renderApp(<OrdersPage />, { user: customer });
    await user.click(await screen.findByRole('button', { name: /^Approve Booking/ }));
    expect(screen.getByRole('alertdialog')).toHaveTextContent(
      "This order hasn't been paid. Ship it on account?",
    );
  });

  it('deletes after the question', async () => {
    shop([unpaid, paid]);
    const user = userEvent.setup();
    renderApp(<OrdersPage />, { user: customer });
    const [first] = await screen.findAllByRole('button', { name: /^Delete Order/ });
    await user.click(first as HTMLElement);
    expect(screen.getByText(/Are you sure/).textContent).toBe(
      'Are you sure\nYou want to delete this order..!?',
    );
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Total Orders: 1' })).toBeVisible();
  });

  it('refunds a paid order that has not left, after the question, and offers it for no other', async () => {
    shop([unpaid, paid, shipped]);
    const refunded: string[] = [];
    server.use(
      http.post('http://shop.test/orders/:id/refund', ({ params }) => {
        refunded.push(String(params.id));
        return HttpResponse.json({ modifiedCount: 1 });
      }),
    );
    renderApp(<OrdersPage />, { user: customer });
    await userEvent.click(await screen.findByRole('button', { name: /^Refund/ }));
    const question = screen.getByRole('alertdialog', { name: 'Refund' });
    expect(question).toHaveTextContent('will be refunded to Dana Reed');
    await userEvent.click(within(question).getByRole('button', { name: 'Yes' }));
    expect(await screen.findByText('Order refunded')).toBeVisible();
    expect(refunded).toEqual(['o2']);
  });

  it('sends part of a paid order back, shipped ones too, in cents and with a reason', async () => {
    shop([{ ...shipped, paid: true, price: 200 }]);
    const sent: unknown[] = [];
    server.use(
      http.post('http://shop.test/orders/:id/refund', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({ modifiedCount: 1 });
      }),
    );
    renderApp(<OrdersPage />, { user: customer });
    await userEvent.click(await screen.findByRole('button', { name: /^Partial refund/ }));
    const dialog = screen.getByRole('dialog', { name: 'Partial refund' });
    const send = within(dialog).getByRole('button', { name: 'Send refund' });
    await userEvent.click(send);
    expect(await within(dialog).findByText('Amount is required')).toBeVisible();
    await userEvent.type(within(dialog).getByLabelText('Amount (USD)'), '200.01');
    await userEvent.click(send);
    expect(await within(dialog).findByText('Enter $200.00 or less')).toBeVisible();
    await userEvent.clear(within(dialog).getByLabelText('Amount (USD)'));
    await userEvent.type(within(dialog).getByLabelText('Amount (USD)'), '12.5');
    await userEvent.type(within(dialog).getByLabelText('Reason'), 'Two were scratched');
    await userEvent.click(send);
    expect(await screen.findByText('Refund sent')).toBeVisible();
    expect(sent).toEqual([{ cents: 1250, reason: 'Two were scratched' }]);
  });

  it('says inside the refund question why it was refused', async () => {
    shop([paid]);
    server.use(
      http.post('http://shop.test/orders/:id/refund', () =>
        HttpResponse.json(problem('conflict', 409, 'A shipped order cannot be refunded'), {
          status: 409,
        }),
      ),
    );
    renderApp(<OrdersPage />, { user: customer });
    await userEvent.click(await screen.findByRole('button', { name: /^Refund/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await screen.findByText('A shipped order cannot be refunded')).toBeVisible();
    expect(screen.getByRole('alertdialog', { name: 'Refund' })).toBeVisible();
  });

  it('says inside the question why it could not be shipped', async () => {
    shop([paid]);
    server.use(
      http.put('http://shop.test/orders/status/:id', () =>
        HttpResponse.json(problem('conflict', 409, 'This order was cancelled.'), { status: 409 }),
      ),
    );
    const user = userEvent.setup();
    renderApp(<OrdersPage />, { user: customer });
    await user.click(await screen.findByRole('button', { name: /^Approve Booking/ }));
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await within(screen.getByRole('alertdialog')).findByRole('alert')).toHaveTextContent(
      'This order was cancelled.',
    );
  });

  it('finds an order by search and by state, and goes on counting all of them', async () => {
    const { requested } = shop([unpaid, paid, shipped]);
    const user = userEvent.setup();
    renderApp(<OrdersPage />, { user: customer });
    await user.type(await screen.findByLabelText('Search'), 'dana disc');
    expect(await screen.findByText('1 matching order')).toBeVisible();
    expect(screen.getAllByRole('article')).toHaveLength(1);
    expect(await screen.findByRole('heading', { level: 1, name: 'Total Orders: 3' })).toBeVisible();
    await user.click(screen.getByRole('link', { name: /^Shipped/ }));
    expect(await screen.findByText('No orders match your search')).toBeVisible();
    expect(requested.at(-1)?.get('q')).toBe('dana disc');
    expect(screen.getByRole('heading', { level: 1, name: 'Total Orders: 3' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show all orders' }));
    await waitFor(() => expect(screen.getAllByRole('article')).toHaveLength(3));
    await user.selectOptions(screen.getByLabelText('Sort by'), 'Oldest first');
    await waitFor(() => expect(requested.at(-1)?.get('sort')).toBe('oldest'));
  });

  it('says that there are more where a search was not counted to its end', async () => {
    const many = Array.from({ length: 21 }, (_, place) => anOrder({ _id: `many-${place}` }));
    shop(many);
    let counted = 20;
    server.use(
      http.get('http://shop.test/allOrders', ({ request }) => {
        const found = pageOf(many, request);
        found.headers.set('X-Total-Count', String(counted));
        return found;
      }),
    );
    const user = userEvent.setup();
    renderApp(<OrdersPage />, { user: customer, at: '/dashboard/orders?q=disc' });
    expect(await screen.findByText('1–20 of more than 20 matching orders')).toBeVisible();
    expect(screen.getByText('Page 1')).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    expect(await screen.findByText('21–21 of 21 matching orders')).toBeVisible();
    expect(screen.getByText('Page 2 of 2')).toBeVisible();
    counted = 1000;
    await user.click(screen.getByRole('link', { name: /^All/ }));
    expect(await screen.findByText('1–20 of more than 999 matching orders')).toBeVisible();
  });

  it('begins with the orders that the address asks for', async () => {
    shop([unpaid, paid, shipped]);
    renderApp(<OrdersPage />, { user: customer, at: '/dashboard/orders?state=waiting' });
    expect(await screen.findByText('2 matching orders')).toBeVisible();
    expect(screen.getByRole('link', { name: /^To approve/ })).toHaveAttribute(
      'aria-current',
      'page',
    );
  });

  it('has views with their counts, and says when there is nothing in one', async () => {
    shop([unpaid, paid]);
    renderApp(<OrdersPage />, { user: customer });
    const views = within(await screen.findByRole('navigation', { name: 'Views' }));
    await screen.findByRole('link', { name: 'Shipped 1,234' });
    expect(views.getAllByRole('link').map((link) => link.textContent?.trim())).toEqual([
      'Active 1,243',
      'Ready to ship 7',
      'Awaiting payment 2',
      'Shipped 1,234',
      'Needs attention 3',
      'Refunded 5',
      'Canceled 20',
      'All 1,263',
    ]);
    expect(views.getByRole('link', { name: /^Needs attention/ })).toHaveAttribute(
      'href',
      '/dashboard/attention',
    );
    await userEvent.click(views.getByRole('link', { name: /^Shipped/ }));
    expect(await screen.findByText('No orders in this view')).toBeVisible();
  });

  it('makes the button of a paid order louder than that of an unpaid one', async () => {
    shop([unpaid, paid]);
    renderApp(<OrdersPage />, { user: customer });
    const [quiet, loud] = await screen.findAllByRole('button', { name: /^Approve Booking/ });
    expect(quiet).toHaveClass('btn-outline');
    expect(loud).toHaveClass('btn-primary');
  });

  it('keeps the search in each view', async () => {
    const { requested } = shop([unpaid, paid, shipped]);
    renderApp(<OrdersPage />, { user: customer, at: '/dashboard/orders?q=disc&sort=oldest' });
    await userEvent.click(screen.getByRole('link', { name: /^Ready to ship/ }));
    await waitFor(() => expect(listed(requested)?.get('state')).toBe('ready'));
    expect(listed(requested)?.get('q')).toBe('disc');
    expect(listed(requested)?.get('sort')).toBe('oldest');
    expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('Ready to ship');
  });

  it('is limited to some days, the first and the last of which stay in order', async () => {
    const { requested } = shop([unpaid]);
    renderApp(<OrdersPage />, { user: customer, at: '/dashboard/orders?from=2026-03-01' });
    const asked = () => {
      const last = listed(requested);
      return [last?.get('from'), last?.get('to')];
    };
    await waitFor(() => expect(asked()).toEqual(['2026-03-01', null]));
    expect(screen.getByLabelText('From')).toHaveValue('2026-03-01');
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-03-05' } });
    await waitFor(() => expect(asked()).toEqual(['2026-03-01', '2026-03-05']));
    // A year on its way from 0002 to 2026 asks for nothing.
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '0202-02-02' } });
    expect(screen.getByLabelText('To')).toHaveValue('0202-02-02');
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-02-02' } });
    await waitFor(() => expect(asked()).toEqual(['2026-02-02', '2026-02-02']));
    expect(requested.some((params) => params.get('to') === '0202-02-02')).toBe(false);
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '' } });
    await waitFor(() => expect(asked()).toEqual([null, '2026-02-02']));
  });

  it('takes no day of an address that is none', async () => {
    const { requested } = shop([unpaid]);
    renderApp(<OrdersPage />, {
      user: customer,
      at: '/dashboard/orders?from=2026-03-09&to=2026-02-99',
    });
    await screen.findByRole('article');
    expect(listed(requested)?.get('from')).toBe('2026-03-09');
    expect(requested.every((params) => !params.has('to'))).toBe(true);
  });

  it('leads to the page of the customer', async () => {
    shop([unpaid]);
    renderApp(<OrdersPage />, { user: customer });
    expect(await screen.findByRole('link', { name: unpaid.name })).toHaveAttribute(
      'href',
      `/dashboard/users/${encodeURIComponent(unpaid.email)}`,
    );
  });

  it("leads to each order's own page", async () => {
    shop([unpaid]);
    renderApp(<OrdersPage />, { user: customer });
    expect(await screen.findByRole('link', { name: unpaid.productName })).toHaveAttribute(
      'href',
      '/dashboard/order/o1',
    );
  });

  it('says what failed and tries again', async () => {
    shop([unpaid]);
    server.use(
      http.get('http://shop.test/allOrders', () => new HttpResponse(null, { status: 500 })),
    );
    renderApp(<OrdersPage />, { user: customer });
    await screen.findByText("We couldn't load the orders");
    shop([unpaid]);
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('article')).toBeVisible();
  });
});

describe('All Order List', () => {
  it('shows every order without a way to pay', async () => {
    shop([unpaid, paid, shipped]);
    renderApp(<AllOrderListPage />, { user: customer });
    expect(await screen.findByRole('heading', { level: 1, name: 'My Orders: 3' })).toBeVisible();
    const said = screen
      .getAllByRole('row')
      .slice(1)
      .map((row) =>
        within(row)
          .getAllByRole('cell')
          .slice(5)
          .map((cell) => cell.textContent),
      );
    expect(said).toEqual([
      ['Unpaid', 'Pending ApprovalNot Paid yet'],
      ['Paid', 'Pending Approval'],
      ['Paid', 'Shipped'],
    ]);
    expect(screen.queryByText(/Pay Now/)).not.toBeInTheDocument();
  });

  it('lists canceled orders on request, also among all there ever were', async () => {
    const gone = anOrder({ _id: 'o8', cancelledAt: '2026-03-02T10:00:00Z' });
    const requested: (string | null)[] = [];
    server.use(
      http.get('http://shop.test/allOrders', ({ request }) => {
        const state = new URL(request.url).searchParams.get('state');
        requested.push(state);
        return pageOf(state === null ? [unpaid] : [unpaid, gone], request);
      }),
    );
    renderApp(<AllOrderListPage />, { user: customer });
    await screen.findByRole('table');
    await userEvent.selectOptions(screen.getByLabelText('Show'), 'All');
    expect(await screen.findByText('Canceled', { selector: '.badge' })).toBeVisible();
    expect(requested).toContain('all');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('My Orders: 1');
  });

  it('shows a page at a time, numbered through', async () => {
    shop(Array.from({ length: PAGE_SIZE + 1 }, (_, place) => anOrder({ _id: `o${place}` })));
    renderApp(<AllOrderListPage />, { user: customer });
    await screen.findByRole('table');
    expect(screen.getAllByRole('row')).toHaveLength(PAGE_SIZE + 1);
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
    expect(screen.getAllByRole('row').at(-1)).toHaveTextContent(/^21/);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('My Orders: 21');
  });

  it('names order, day and part of each', async () => {
    shop([unpaid]);
    renderApp(<AllOrderListPage />, { user: customer });
    expect(await screen.findByText(/^Order DL-10428/)).toHaveTextContent(
      'Mar 1, 2026 · Part DL-1000',
    );
  });

  it("leads to each order's own page, by the whole name", async () => {
    shop([unpaid]);
    renderApp(<AllOrderListPage />, { user: customer });
    expect(await screen.findByRole('link', { name: unpaid.productName })).toHaveAttribute(
      'href',
      '/dashboard/order/o1',
    );
  });

  it('says so while there are none', async () => {
    shop([]);
    renderApp(<AllOrderListPage />, { user: customer });
    expect(await screen.findByRole('heading', { name: 'No Orders Yet' })).toBeVisible();
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('My Orders: 0');
  });
});
