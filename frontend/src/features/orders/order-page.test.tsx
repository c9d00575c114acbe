import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Route, Routes } from 'react-router-dom';
import { describe, expect, it, vi } from 'vitest';
import type { Order, OrderEvent } from '@/api/types';
import { readDraft } from '@/features/catalog/draft';
import { aConfig } from '@/testing/config';
import { anOrder, disc, paidWith, problem } from '@/testing/orders';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import OrderPage from './pages/order-page';
import { sentenceOf, stillToCome } from './timeline';

const made = anOrder().createdAt;

function event(what: OrderEvent['what'], facts: Partial<OrderEvent> = {}): OrderEvent {
  return { _id: `e-${what}`, what, who: customer.email, when: made, ...facts };
}

const ordered = event('ordered', { quantity: 50, price: 6450 });
const note = { _id: 'n1', author: 'boss@example.com', text: 'Called twice.', createdAt: made };
const gone = () => HttpResponse.json(problem('not-found', 404, 'No such order.'), { status: 404 });
const broken = () =>
  HttpResponse.json(problem('internal', 500, 'The shop stumbled.'), { status: 500 });

function answer(order: Order | null, events: OrderEvent[] | null) {
  server.use(
    http.get('http://shop.test/orders/:id', () => (order ? HttpResponse.json(order) : gone())),
    http.get('http://shop.test/orders/:id/events', () =>
      events ? HttpResponse.json(events) : gone(),
    ),
    http.get('http://shop.test/orders/:id/returns', () => HttpResponse.json([])),
    http.get('http://shop.test/orders/:id/shipments', () => HttpResponse.json([])),
    http.get('http://shop.test/invoices', () => HttpResponse.json([])),
    http.get('http://shop.test/orders/:id/notes', () => HttpResponse.json([note])),
    http.get('http://shop.test/products/:id', () => HttpResponse.json(disc)),
  );
}

function show(id = anOrder()._id, admin = false) {
  server.use(
    http.get('http://shop.test/admin/:email', () => HttpResponse.json({ admin })),
    http.get('http://shop.test/config', () => HttpResponse.json(aConfig())),
  );
  return renderApp(
    <Routes>
      <Route path="/dashboard/order/:id" element={<OrderPage />} />
      <Route path="/product/:id" element={<p>the product</p>} />
    </Routes>,
    { at: `/dashboard/order/${id}`, user: customer },
  );
}

const history = async () =>
  within(await screen.findByRole('region', { name: 'History' })).findAllByRole('listitem');

describe('the page of an order', () => {
  it('shows every fact, the total and what can be done about an unpaid one', async () => {
    const order = anOrder({ price: 6450.5, unitPrice: 129.01 });
    answer(order, [ordered]);
    show();
    expect(await screen.findByRole('heading', { level: 1, name: order.productName })).toBeVisible();
    for (const [name, value] of [
      ['Category', 'BRAKES'],
      ['Quantity', '50'],
      ['Unit price', '$129.01'],
      ['Details', order.details],
      ['Name', order.name],
      ['Phone', order.phone],
      ['Email', order.email],
      ['Address', order.address],
      ['Order number', 'DL-10428'],
    ] as const) {
      expect(screen.getByText(name, { selector: 'dt' }).nextElementSibling).toHaveTextContent(
        value,
      );
    }
    const total = within(screen.getByRole('region', { name: 'Price' }));
    expect(total.getByText('$6,450.50')).toBeVisible();
    expect(total.getByText('50 × $129.01')).toBeVisible();
    expect(screen.getByText('Pending Approval')).toBeVisible();
    expect(screen.getByText('Not Paid yet')).toBeVisible();
    expect(screen.getByRole('link', { name: /^Pay Now/ })).toHaveAttribute(
      'href',
      `/dashboard/payment/${order._id}`,
    );
    expect(screen.getByRole('button', { name: /^Cancel order/ })).toBeEnabled();
    expect(screen.getByRole('link', { name: 'My orders' })).toHaveAttribute(
      'href',
      '/dashboard/myOrders',
    );
  });

  it('names the transaction of a paid one, and offers neither payment nor cancelling', async () => {
    answer(anOrder(paidWith('pi_77')), [ordered, event('paid', { transactionId: 'pi_77' })]);
    show();
    const id = await screen.findByText('Transaction id', { selector: 'dt' });
    expect(id.nextElementSibling).toHaveTextContent('pi_77');
    expect(screen.getByText('Paid', { selector: 'header *' })).toBeVisible();
    expect(screen.queryByRole('link', { name: /^Pay Now/ })).not.toBeInTheDocument();
    expect(screen.queryByRole('button', { name: /^Cancel order/ })).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: /^Order again/ })).toBeVisible();
  });

  it('shows somebody else’s order to an admin without what only its owner may do', async () => {
    answer(anOrder({ email: 'robin@example.com' }), [ordered]);
    show();
    expect(await screen.findByRole('button', { name: /^Delete Order/ })).toBeEnabled();
    expect(screen.queryByRole('link', { name: /^Pay Now/ })).not.toBeInTheDocument();
    expect(screen.queryByRole('link', { name: /^Order again/ })).not.toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Orders' })).toHaveAttribute(
      'href',
      '/dashboard/orders',
    );
  });

  it('has all that an admin can do about a paid one, and the way to the other orders', async () => {
    answer(anOrder({ ...paidWith('pi_1'), email: 'robin@example.com' }), [ordered]);
    const shipped: string[] = [];
    server.use(
      http.put('http://shop.test/orders/status/:id', ({ params }) => {
        shipped.push(String(params.id));
        return HttpResponse.json({ modifiedCount: 1 });
      }),
    );
    show(undefined, true);
    await userEvent.click(await screen.findByRole('button', { name: /^Approve Booking/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Product Shipped...!!!');
    expect(shipped).toEqual([anOrder()._id]);
    await waitFor(() => expect(screen.getByRole('button', { name: /^Refund/ })).toBeEnabled());
    expect(screen.getByRole('button', { name: /^Partial refund/ })).toBeEnabled();
    expect(screen.getByRole('button', { name: /^Delete Order/ })).toBeDisabled();
    expect(screen.getByRole('link', { name: 'Orders of this customer' })).toHaveAttribute(
      'href',
      '/dashboard/allOrderList?q=robin%40example.com',
    );
  });

  it('says that a refunded one is gone, which was refunded from here', async () => {
    answer(anOrder({ ...paidWith('pi_1'), email: 'robin@example.com' }), [
      ordered,
      event('cancelled'),
      event('refunded'),
    ]);
    server.use(
      http.post('http://shop.test/orders/:id/refund', () =>
        HttpResponse.json({ modifiedCount: 1 }),
      ),
    );
    show(undefined, true);
    await userEvent.click(await screen.findByRole('button', { name: /^Refund/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Yes' }));
    expect(
      await screen.findByRole('heading', { level: 1, name: 'This order was canceled' }),
    ).toBeVisible();
    expect(screen.getByRole('alert')).toHaveTextContent('Order refunded');
  });

  it('shows what admins noted to admins only, also about a canceled one', async () => {
    const cancelled = event('cancelled');
    for (const order of [anOrder(), null]) {
      for (const admin of [true, false]) {
        answer(order, order ? [ordered] : [ordered, cancelled]);
        const { unmount } = show(anOrder()._id, admin);
        await history();
        if (admin) expect(await screen.findByText('Called twice.')).toBeVisible();
        else expect(screen.queryByText('Called twice.')).toBeNull();
        unmount();
      }
    }
  });

  it('lets an admin pay for and delete an order of their own', async () => {
    answer(anOrder(), [ordered]);
    show(undefined, true);
    expect(await screen.findByRole('button', { name: /^Delete Order/ })).toBeEnabled();
    expect(screen.getByRole('link', { name: /^Pay Now/ })).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Cancel order/ })).not.toBeInTheDocument();
  });

  it('prints, for admins also the note that goes with the parts', async () => {
    const print = vi.spyOn(window, 'print').mockImplementation(() => undefined);
    answer(anOrder(), [ordered]);
    const { unmount } = show();
    await userEvent.click(await screen.findByRole('button', { name: 'Print order summary' }));
    expect(print).toHaveBeenCalledOnce();
    expect(screen.queryByRole('button', { name: 'Print delivery note' })).toBeNull();
    unmount();
    show(undefined, true);
    expect(await screen.findByRole('button', { name: 'Print delivery note' })).toBeVisible();
  });

  it('fills Billing Details in when it is ordered again', async () => {
    const order = anOrder({ quantity: 1200, phone: '555 0199' });
    answer(order, [ordered]);
    show();
    await userEvent.click(await screen.findByRole('link', { name: /^Order again/ }));
    expect(screen.getByText('the product')).toBeVisible();
    expect(readDraft(order.productId, customer.email)).toEqual({
      owner: customer.email,
      open: true,
      origin: 'again',
      name: order.name,
      phone: '555 0199',
      address: order.address,
      quantity: '1200',
    });
  });

  it('shows its skeleton while it loads, then what failed, and tries again', async () => {
    let fails = true;
    server.use(
      http.get('http://shop.test/orders/:id', () =>
        fails ? broken() : HttpResponse.json(anOrder()),
      ),
      http.get('http://shop.test/orders/:id/events', () => HttpResponse.json([ordered])),
    );
    show();
    expect(screen.getByRole('status', { name: 'Loading order' })).toBeVisible();
    expect(await screen.findByText("We couldn't load this order")).toBeVisible();
    expect(screen.getByText('The shop stumbled.')).toBeVisible();
    fails = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(
      await screen.findByRole('heading', { level: 1, name: anOrder().productName }),
    ).toBeVisible();
  });

  it('keeps the order on the screen when only its history failed, and asks for that again', async () => {
    let fails = true;
    server.use(
      http.get('http://shop.test/orders/:id', () => HttpResponse.json(anOrder())),
      http.get('http://shop.test/orders/:id/events', () =>
        fails ? broken() : HttpResponse.json([ordered]),
      ),
    );
    show();
    expect(await screen.findByText("We couldn't load the history")).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: anOrder().productName })).toBeVisible();
    fails = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Ordered: 50 for $6,450.00')).toBeVisible();
  });

  it('says of another’s order what it says of one that never was', async () => {
    answer(null, null);
    show();
    expect(await screen.findByRole('heading', { name: "We can't find that order" })).toBeVisible();
    expect(screen.getByRole('heading', { level: 1, name: 'Order' })).toBeVisible();
    expect(screen.queryByText(/cancelled/)).not.toBeInTheDocument();
  });

  it('shows the history of a cancelled order, which is nowhere else any more', async () => {
    answer(null, [ordered, event('cancelled')]);
    show();
    expect(
      await screen.findByRole('heading', { level: 1, name: 'This order was canceled' }),
    ).toBeVisible();
    expect((await history()).map((step) => step.querySelector('p')?.textContent)).toEqual([
      'Ordered: 50 for $6,450.00',
      'Canceled',
    ]);
    expect(screen.getByText('Price', { selector: 'dt' }).nextElementSibling).toHaveTextContent(
      '$6,450.00',
    );
  });

  it("cancels after the spec's question, and then shows what is left of the order", async () => {
    let requested = 0;
    let events = [ordered];
    server.use(
      http.get('http://shop.test/orders/:id', () => {
        requested += 1;
        return HttpResponse.json(anOrder());
      }),
      http.get('http://shop.test/orders/:id/events', () => HttpResponse.json(events)),
      http.delete('http://shop.test/orders/:id', () => {
        events = [ordered, event('cancelled')];
        return HttpResponse.json({ deletedCount: 1 });
      }),
    );
    show();
    await userEvent.click(await screen.findByRole('button', { name: /^Cancel order/ }));
    expect(within(screen.getByRole('alertdialog')).getByText(/Are you sure/).textContent).toBe(
      'Are you sure\nYou want to delete this order..!?',
    );
    await userEvent.click(screen.getByRole('button', { name: 'Yes' }));
    expect(
      await screen.findByRole('heading', { level: 1, name: 'This order was canceled' }),
    ).toBeVisible();
    expect(screen.getByRole('alert')).toHaveTextContent(
      `Order canceled: 50 × ${anOrder().productName}.`,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss message' }));
    await waitFor(() => expect(screen.queryByRole('alert')).not.toBeInTheDocument());
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('This order was canceled');
    // What was just cancelled is known to be gone: asking for it would only be refused.
    expect(requested).toBe(1);
  });
});

describe('the timeline', () => {
  it('is an ordered list of what happened, when and by whom, and of what is still to come', async () => {
    answer(anOrder({ status: 'paid' }), [
      ordered,
      event('shipped', { who: 'Driveline', onAccount: true, when: '2026-03-02T11:30:00Z' }),
    ]);
    show();
    const steps = await history();
    expect(steps.map((step) => step.querySelector('p')?.firstChild?.textContent)).toEqual([
      'Ordered: 50 for $6,450.00',
      'Shipped on account (payment due)',
      'Paid',
    ]);
    expect(steps[0]).toHaveTextContent(/, by you$/);
    expect(steps[1]).toHaveTextContent(/, by Driveline$/);
    expect(steps[2]).toHaveTextContent('Pending');
    const time = steps[1]?.querySelector('time');
    expect(time).toHaveAttribute('datetime', '2026-03-02T11:30:00Z');
    expect(time?.textContent).toBe(
      new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' }).format(
        new Date('2026-03-02T11:30:00Z'),
      ),
    );
    expect(time).toHaveTextContent('Mar 2, 2026');
  });

  it.each([
    [[], ['Paid', 'Shipped']],
    [['ordered'], ['Paid', 'Shipped']],
    [['ordered', 'paid'], ['Shipped']],
    [['ordered', 'shipped'], ['Paid']],
    [['ordered', 'paid', 'shipped'], []],
    [['ordered', 'cancelled'], []],
    [['ordered', 'cancelled', 'refunded'], []],
    [['ordered', 'paid', 'refunded'], ['Shipped']],
  ] as const)('after %j waits for %j', (happened, awaited) => {
    expect(stillToCome(happened.map((what) => event(what)))).toEqual(awaited);
  });

  it.each([
    [event('ordered'), 'Ordered'],
    [event('paid', { transactionId: 'pi_1' }), 'Paid, transaction pi_1'],
    [event('shipped'), 'Shipped'],
    [event('part_shipped', { quantity: 30 }), '30 units shipped, the rest is to come'],
    [event('cancelled'), 'Canceled'],
    [event('refunded'), 'Refunded'],
    [event('return_requested', { quantity: 10 }), 'Return of 10 units requested'],
    [
      event('return_accepted', { quantity: 1, amount: 12.5 }),
      'Return of 1 unit accepted, $12.50 to be refunded',
    ],
    [
      event('return_declined', { quantity: 10, answer: 'They were used.' }),
      'Return of 10 units declined: They were used.',
    ],
  ])('puts an event into words (%#)', (happened, sentence) => {
    expect(sentenceOf(happened)).toBe(sentence);
  });
});
