import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import type { Delivery, WebhookDelivery, WebhookEndpoint } from '@/api/types';
import { problem } from '@/testing/orders';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import DeliveriesPage from './pages/deliveries-page';

const made = '2026-11-21T10:00:00Z';

const receipt: Delivery = {
  _id: '7',
  channel: 'mail',
  topic: 'order.paid',
  to: 'casey@example.com',
  orderId: 'o1',
  checkoutId: null,
  attempts: 12,
  state: 'dead',
  lastError: 'the mail server refuses it: 550 no such mailbox',
  createdAt: made,
  dueAt: made,
  sentAt: null,
};

const erp: WebhookEndpoint = {
  _id: 'e1',
  url: 'https://erp.example.com/hooks',
  events: ['order.ordered', 'order.paid'],
  createdAt: made,
  failingSince: null,
  disabledAt: null,
  disabledReason: null,
};

const call: WebhookDelivery = {
  _id: '9',
  topic: 'order.ordered',
  orderId: 'o1',
  checkoutId: null,
  attempts: 2,
  state: 'waiting',
  statusCode: 503,
  lastError: 'it answered with status 503',
  createdAt: made,
  dueAt: made,
  sentAt: null,
};

interface Facts {
  dead?: Delivery[];
  subscriptions?: WebhookEndpoint[];
  log?: WebhookDelivery[];
}

/** A shop that holds these, and changes them as requested. */
function shop({ dead = [], subscriptions = [], log = [] }: Facts = {}) {
  const calls: string[] = [];
  const added: unknown[] = [];
  const base = 'http://shop.test';
  server.use(
    http.get(`${base}/outbox`, ({ request }) => {
      calls.push(`GET ${new URL(request.url).search}`);
      return HttpResponse.json(dead, { headers: { 'X-Total-Count': String(dead.length) } });
    }),
    http.post(`${base}/outbox/:id/retry`, ({ params }) => {
      calls.push(`retry ${params.id}`);
      dead = dead.filter(({ _id }) => _id !== params.id);
      return HttpResponse.json({ modifiedCount: 1 });
    }),
    http.post(`${base}/outbox/retry`, ({ request }) => {
      const subscription = new URL(request.url).searchParams.get('endpoint');
      calls.push(`retry all ${subscription ?? ''}`.trim());
      const modifiedCount = subscription ? 3 : dead.length;
      if (!subscription) dead = [];
      subscriptions = subscriptions.map((one) =>
        one._id === subscription ? { ...one, disabledAt: null, disabledReason: null } : one,
      );
      return HttpResponse.json({ modifiedCount });
    }),
    http.get(`${base}/webhook-endpoints`, () => HttpResponse.json(subscriptions)),
    http.post(`${base}/webhook-endpoints`, async ({ request }) => {
      added.push(await request.json());
      subscriptions = [...subscriptions, erp];
      return HttpResponse.json({ ...erp, secret: 'whsec_shown-once' }, { status: 201 });
    }),
    http.delete(`${base}/webhook-endpoints/:id`, ({ params }) => {
      calls.push(`delete ${params.id}`);
      subscriptions = subscriptions.filter(({ _id }) => _id !== params.id);
      return HttpResponse.json({ deletedCount: 1 });
    }),
    http.get(`${base}/webhook-endpoints/:id/deliveries`, () =>
      HttpResponse.json(log, { headers: { 'X-Total-Count': '120' } }),
    ),
  );
  return { calls, added };
}

describe('Deliveries', () => {
  it('shows what was given up, and tries it again', async () => {
    const { calls } = shop({ dead: [receipt, { ...receipt, _id: '6', attempts: 1 }] });
    const user = userEvent.setup();
    renderApp(<DeliveriesPage />, { user: customer });
    const table = await screen.findByRole('table', {
      name: 'Emails and webhook calls that failed',
    });
    expect(table).toHaveTextContent('Order paid');
    expect(table).toHaveTextContent('casey@example.com');
    expect(table).toHaveTextContent('550 no such mailbox');
    const [, often, once] = within(table).getAllByRole('row');
    if (!often || !once) throw new Error('two were given up');
    expect(often).toHaveTextContent('Tried 12 times');
    expect(once).toHaveTextContent('Tried once');
    expect(within(often).getByRole('link')).toHaveAttribute('href', '/dashboard/order/o1');
    await user.click(within(once).getByRole('button', { name: /^Retry ?Order paid$/ }));
    await waitFor(() => expect(once).not.toBeInTheDocument());
    await user.click(within(often).getByRole('button', { name: /^Retry ?Order paid$/ }));
    expect(await screen.findByText('Retrying now.')).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'No failed messages' })).toBeVisible();
    expect(calls[0]).toContain('state=dead');
    expect(calls).toEqual(expect.arrayContaining(['retry 6', 'retry 7']));
  });

  it('says why something cannot be tried again', async () => {
    shop({ dead: [receipt] });
    const refusal = problem('not-dead', 409, 'This was not given up: it is sent, or it will be');
    server.use(
      http.post('http://shop.test/outbox/:id/retry', () =>
        HttpResponse.json(refusal, { status: 409 }),
      ),
    );
    const user = userEvent.setup();
    renderApp(<DeliveriesPage />, { user: customer });
    await user.click(await screen.findByRole('button', { name: /^Retry ?Order paid$/ }));
    expect(await screen.findByRole('alert')).toHaveTextContent('This was not given up');
  });

  it('adds a webhook and shows its secret, once', async () => {
    const { added } = shop();
    const user = userEvent.setup();
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    renderApp(<DeliveriesPage />, { user: customer });
    expect(await screen.findByRole('heading', { name: 'No webhooks yet' })).toBeVisible();
    await user.type(screen.getByRole('textbox', { name: 'Endpoint URL' }), erp.url);
    await user.click(screen.getByRole('checkbox', { name: 'Order placed' }));
    await user.click(screen.getByRole('checkbox', { name: 'Order paid' }));
    await user.click(screen.getByRole('button', { name: 'Add webhook' }));
    const dialog = await screen.findByRole('dialog', { name: 'Webhook added' });
    expect(within(dialog).getByRole('textbox', { name: 'Secret' })).toHaveValue('whsec_shown-once');
    expect(added).toEqual([{ url: erp.url, events: ['order.ordered', 'order.paid'] }]);
    await user.click(within(dialog).getByRole('button', { name: 'Copy secret' }));
    expect(write).toHaveBeenCalledWith('whsec_shown-once');
    expect(await within(dialog).findByRole('status')).toHaveTextContent('Copied');
    await user.click(within(dialog).getByRole('button', { name: 'Close' }));
    expect(await screen.findByRole('table', { name: 'Webhooks' })).toHaveTextContent(erp.url);
    expect(screen.queryByText(/whsec_/)).not.toBeInTheDocument();
    expect(screen.getByRole('textbox', { name: 'Endpoint URL' })).toHaveValue('');
  });

  it('says what is missing, and what the shop refuses, and keeps what was typed', async () => {
    const { added } = shop();
    const message = 'URL must lead to the public internet';
    const refusal = problem('validation', 422, message, { errors: [{ field: 'url', message }] });
    const user = userEvent.setup();
    renderApp(<DeliveriesPage />, { user: customer });
    const address = screen.getByRole('textbox', { name: 'Endpoint URL' });
    await user.click(screen.getByRole('button', { name: 'Add webhook' }));
    await waitFor(() => expect(address).toHaveAccessibleDescription(/Endpoint URL is required/));
    expect(screen.getByText('Choose at least one event')).toBeVisible();
    expect(added).toEqual([]);
    server.use(
      http.post('http://shop.test/webhook-endpoints', () =>
        HttpResponse.json(refusal, { status: 422 }),
      ),
    );
    await user.type(address, 'https://10.0.0.1/');
    await user.click(screen.getByRole('button', { name: 'Add webhook' }));
    const first = screen.getByRole('checkbox', { name: 'Order placed' });
    await waitFor(() => expect(first).toHaveFocus());
    expect(first).toHaveAccessibleDescription('Choose at least one event');
    expect(added).toEqual([]);
    await user.click(screen.getByRole('checkbox', { name: 'Order shipped' }));
    await user.click(screen.getByRole('button', { name: 'Add webhook' }));
    await waitFor(() => expect(address).toHaveAccessibleDescription(/public internet/));
    expect(address).toHaveValue('https://10.0.0.1/');
    expect(screen.getByRole('checkbox', { name: 'Order shipped' })).toBeChecked();
  });

  it('shows the log of a webhook, and that it was switched off', async () => {
    const log: WebhookDelivery[] = [
      call,
      { ...call, _id: '8' },
      { ...call, _id: '6', state: 'sent', statusCode: 204 },
      { ...call, _id: '5', attempts: 0, statusCode: null, lastError: null },
    ];
    const why = 'it answered with status 410: it wants no more calls';
    shop({ subscriptions: [{ ...erp, disabledAt: made, disabledReason: why }], log });
    const user = userEvent.setup();
    renderApp(<DeliveriesPage />, { user: customer });
    expect(await screen.findByText('Disabled')).toBeVisible();
    expect(screen.getByRole('table', { name: 'Webhooks' })).toHaveTextContent(why);
    await user.click(screen.getByRole('button', { name: /^Log ?of/ }));
    const dialog = await screen.findByRole('dialog', { name: 'Delivery log' });
    const table = await within(dialog).findByRole('table', { name: 'Delivery log' });
    const results = within(table)
      .getAllByRole('row')
      .map((row) => within(row).queryAllByRole('cell').at(-1)?.textContent);
    expect(results.slice(1)).toEqual([
      'Waiting: it answered with status 503',
      'Waiting: it answered with status 503',
      'Sent: 204',
      'Waiting',
    ]);
    expect(dialog).toHaveTextContent('Showing the latest 4 of 120.');
  });

  it('tries everything again that was given up', async () => {
    const { calls } = shop({ dead: [receipt, { ...receipt, _id: '6' }] });
    const user = userEvent.setup();
    renderApp(<DeliveriesPage />, { user: customer });
    await user.click(await screen.findByRole('button', { name: 'Retry all' }));
    expect(await screen.findByText('Retrying 2 messages.')).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'No failed messages' })).toBeVisible();
    expect(calls).toContain('retry all');
  });

  it('enables a webhook that was disabled by trying its deliveries again', async () => {
    const { calls } = shop({
      subscriptions: [{ ...erp, disabledAt: made, disabledReason: 'gone' }],
    });
    const user = userEvent.setup();
    renderApp(<DeliveriesPage />, { user: customer });
    await user.click(await screen.findByRole('button', { name: /^Retry all ?to https/ }));
    expect(await screen.findByText('Retrying 3 messages.')).toBeVisible();
    await waitFor(() => expect(screen.queryByText('Disabled')).not.toBeInTheDocument());
    expect(calls).toContain('retry all e1');
  });

  it('says that a webhook fails', async () => {
    shop({ subscriptions: [{ ...erp, failingSince: made }] });
    renderApp(<DeliveriesPage />, { user: customer });
    expect(await screen.findByText('Failing')).toBeVisible();
    expect(screen.queryByRole('button', { name: /^Retry all/ })).not.toBeInTheDocument();
  });

  it('deletes a webhook after a question', async () => {
    const { calls } = shop({ subscriptions: [erp] });
    const user = userEvent.setup();
    renderApp(<DeliveriesPage />, { user: customer });
    await user.click(await screen.findByRole('button', { name: /^Delete ?https/ }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete webhook' });
    expect(calls).not.toContain('delete e1');
    await user.click(within(dialog).getByRole('button', { name: 'Yes' }));
    expect(await screen.findByRole('heading', { name: 'No webhooks yet' })).toBeVisible();
    expect(calls).toContain('delete e1');
  });

  it('offers to try again when a list does not load', async () => {
    shop({ dead: [receipt], subscriptions: [erp] });
    const away = problem('defect', 500, 'Something went wrong on our side');
    server.use(
      http.get('http://shop.test/outbox', () => HttpResponse.json(away, { status: 500 }), {
        once: true,
      }),
      http.get(
        'http://shop.test/webhook-endpoints',
        () => HttpResponse.json(away, { status: 500 }),
        { once: true },
      ),
    );
    const user = userEvent.setup();
    renderApp(<DeliveriesPage />, { user: customer });
    const retries = await waitFor(() => {
      const found = screen.getAllByRole('button', { name: 'Retry' });
      expect(found).toHaveLength(2);
      return found;
    });
    for (const retry of retries) await user.click(retry);
    expect(await screen.findByText('casey@example.com')).toBeVisible();
    expect(await screen.findByRole('table', { name: 'Webhooks' })).toHaveTextContent(erp.url);
  });
});
