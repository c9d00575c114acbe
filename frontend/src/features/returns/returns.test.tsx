import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import type { Order, OrderReturn } from '@/api/types';
import { anOrder, paidWith, problem } from '@/testing/orders';
import { renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import OrderReturns from './components/order-returns';

const soon = new Date(Date.now() + 86_400_000).toISOString();
const past = '2026-03-31T10:00:00Z';
const shipped: Partial<Order> = {
  ...paidWith('pi_1'),
  status: 'paid',
  shippedAt: '2026-03-01T10:00:00Z',
  returnableUntil: soon,
};

function aReturn(facts: Partial<OrderReturn> = {}): OrderReturn {
  return {
    _id: 'ret1',
    reason: 'does_not_fit',
    details: null,
    units: 10,
    state: 'requested',
    requestedAt: '2026-03-02T10:00:00Z',
    decidedAt: null,
    refunded: null,
    restocked: null,
    answer: null,
    ...facts,
  };
}

const base = 'http://shop.test';

function shop(list: OrderReturn[]) {
  const calls: { path: string; body: unknown; key: string | null }[] = [];
  const record = async (request: Request) => {
    const { pathname } = new URL(request.url);
    calls.push({
      path: pathname,
      body: await request.json(),
      key: request.headers.get('Idempotency-Key'),
    });
  };
  server.use(
    http.get(`${base}/orders/:id/returns`, () => HttpResponse.json(list)),
    http.post(`${base}/orders/:id/returns`, async ({ request }) => {
      await record(request);
      return HttpResponse.json({ insertedId: 'ret1' }, { status: 201 });
    }),
    http.post(`${base}/returns/:id/:decision`, async ({ request }) => {
      await record(request);
      return HttpResponse.json({ modifiedCount: 1 });
    }),
  );
  return calls;
}

function show(order: Order, { own = true, admin = false } = {}) {
  const onDone = vi.fn();
  renderApp(<OrderReturns order={order} own={own} admin={admin} className="" onDone={onDone} />);
  return onDone;
}

describe('the returns of an order', () => {
  it('can be asked for with a reason, units and words, under one key', async () => {
    const calls = shop([]);
    const onDone = show(anOrder(shipped));
    await userEvent.click(await screen.findByRole('button', { name: /^Return units/ }));
    const dialog = within(screen.getByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Ask for return' }));
    expect(await dialog.findByText('Choose a reason', { selector: ':not(option)' })).toBeVisible();
    expect(calls).toEqual([]);
    await userEvent.selectOptions(dialog.getByLabelText(/^Why are you/), "Doesn't fit");
    const units = dialog.getByLabelText('Units');
    await userEvent.clear(units);
    await userEvent.type(units, '51');
    await userEvent.click(dialog.getByRole('button', { name: 'Ask for return' }));
    expect(await dialog.findByText('You can return up to 50 units')).toBeVisible();
    await userEvent.clear(units);
    await userEvent.type(units, '10');
    await userEvent.type(dialog.getByLabelText('Details'), ' Too wide. ');
    await userEvent.click(dialog.getByRole('button', { name: 'Ask for return' }));
    await vi.waitFor(() =>
      expect(onDone).toHaveBeenCalledWith("We've received your request to return 10 units."),
    );
    expect(calls).toEqual([
      {
        path: `/orders/${anOrder()._id}/returns`,
        body: { reason: 'does_not_fit', units: 10, details: 'Too wide.' },
        key: expect.any(String),
      },
    ]);
  });

  it('offers what has not come back', async () => {
    shop([aReturn({ state: 'accepted', refunded: 25, restocked: true, units: 10 })]);
    show(anOrder(shipped));
    await userEvent.click(await screen.findByRole('button', { name: /^Return units/ }));
    expect(screen.getByText('1 to 40')).toBeVisible();
  });

  it.each([
    ['an open one', anOrder(shipped), [aReturn()], true],
    [
      'too late',
      anOrder({ ...shipped, returnableUntil: past }),
      [aReturn({ state: 'declined', answer: 'No.' })],
      true,
    ],
    ['another’s order', anOrder(shipped), [aReturn({ state: 'declined', answer: 'No.' })], false],
    [
      'all of it back',
      anOrder(shipped),
      [aReturn({ state: 'accepted', units: 50, refunded: 1, restocked: false })],
      true,
    ],
  ])('offers no return for %s', async (_case, order, list, own) => {
    shop(list);
    show(order, { own });
    expect(await screen.findByRole('list')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Return units/ })).not.toBeInTheDocument();
  });

  it('is nothing where there is nothing to say', async () => {
    shop([]);
    show(anOrder({ ...shipped, returnableUntil: past }));
    await vi.waitFor(() => expect(screen.queryByRole('status')).not.toBeInTheDocument());
    expect(screen.queryByRole('heading', { name: 'Returns' })).not.toBeInTheDocument();
  });

  it('says what became of each', async () => {
    shop([
      aReturn({ _id: 'a', state: 'declined', answer: 'They were used.', details: 'Too wide.' }),
      aReturn({ _id: 'b', state: 'accepted', refunded: 25, restocked: true, units: 1 }),
      aReturn({ _id: 'c', state: 'accepted', refunded: 0, restocked: false }),
      aReturn({ _id: 'd' }),
    ]);
    show(anOrder(shipped));
    const items = await screen.findAllByRole('listitem');
    expect(items[0]).toHaveTextContent("10 units: Doesn't fit Declined");
    expect(items[0]).toHaveTextContent('Too wide.');
    expect(items[0]).toHaveTextContent('Our answer: They were used.');
    expect(items[1]).toHaveTextContent("1 unit: Doesn't fit Accepted");
    expect(items[1]).toHaveTextContent('$25.00 refunded');
    expect(items[2]).toHaveTextContent('This order had already been refunded in full.');
    expect(items[3]).toHaveTextContent('Waiting for our answer');
    expect(screen.getByRole('link', { name: 'Contact' })).toHaveAttribute('href', '/contact');
  });

  it('keeps the form with the reason for a refusal, and what was typed', async () => {
    shop([]);
    server.use(
      http.post(`${base}/orders/:id/returns`, () =>
        HttpResponse.json(problem('too-late', 409, 'That time is over for this order.'), {
          status: 409,
        }),
      ),
    );
    show(anOrder(shipped));
    await userEvent.click(await screen.findByRole('button', { name: /^Return units/ }));
    const dialog = within(screen.getByRole('dialog'));
    await userEvent.selectOptions(dialog.getByLabelText(/^Why are you/), 'Something else');
    await userEvent.click(dialog.getByRole('button', { name: 'Ask for return' }));
    expect(await dialog.findByRole('alert')).toHaveTextContent('That time is over for this order.');
    expect(dialog.getByLabelText(/^Why are you/)).toHaveValue('other');
  });

  it('says what failed, and tries again', async () => {
    let fails = true;
    server.use(
      http.get(`${base}/orders/:id/returns`, () =>
        fails
          ? HttpResponse.json(problem('internal', 500, 'The shop stumbled.'), { status: 500 })
          : HttpResponse.json([aReturn()]),
      ),
    );
    show(anOrder(shipped));
    expect(await screen.findByText("We couldn't load the returns")).toBeVisible();
    fails = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Waiting for our answer')).toBeVisible();
  });
});

describe("an admin's answer", () => {
  it('accepts with what the units cost, or another amount, and restocks if it is said so', async () => {
    const calls = shop([aReturn()]);
    const onDone = show(anOrder(shipped), { own: false, admin: true });
    expect(await screen.findByText('Waiting for your answer')).toBeVisible();
    await userEvent.click(await screen.findByRole('button', { name: /^Accept return/ }));
    const dialog = within(screen.getByRole('dialog'));
    expect(dialog.getByLabelText('Refund (USD)')).toHaveValue('1290.00');
    await userEvent.click(dialog.getByLabelText('Put 10 units back in stock'));
    await userEvent.click(dialog.getByRole('button', { name: 'Accept and refund' }));
    await vi.waitFor(() => expect(onDone).toHaveBeenCalled());
    expect(calls).toEqual([
      {
        path: '/returns/ret1/accept',
        body: { cents: 129_000, restock: true },
        key: expect.any(String),
      },
    ]);
  });

  it('declines with a sentence, which has to be there', async () => {
    const calls = shop([aReturn()]);
    const onDone = show(anOrder(shipped), { own: false, admin: true });
    await userEvent.click(await screen.findByRole('button', { name: /^Decline/ }));
    const dialog = within(screen.getByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Decline return' }));
    expect(await dialog.findByText('Answer is required')).toBeVisible();
    await userEvent.type(dialog.getByLabelText('Answer'), ' They were used. ');
    await userEvent.click(dialog.getByRole('button', { name: 'Decline return' }));
    await vi.waitFor(() => expect(onDone).toHaveBeenCalled());
    expect(calls).toEqual([
      {
        path: '/returns/ret1/decline',
        body: { answer: 'They were used.' },
        key: expect.any(String),
      },
    ]);
  });
});
