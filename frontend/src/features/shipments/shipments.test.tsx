import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import type { Order } from '@/api/types';
import { anOrder, paidWith, problem } from '@/testing/orders';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import { OrderShipments } from './components/order-shipments';
import type { NewShipment, Shipment } from './wire';

const first: Shipment = {
  _id: 's1',
  quantity: 30,
  carrier: 'Northline',
  trackingNumber: 'NL-77',
  trackingUrl: 'https://track.example/NL-77',
  sentAt: '2026-11-20T12:00:00Z',
};

function show(shipments: Shipment[], admin = false, facts: Partial<Order> = {}) {
  const sent: unknown[] = [];
  let kept = shipments;
  server.use(
    http.get('http://shop.test/orders/:id/shipments', () => HttpResponse.json(kept)),
    http.post('http://shop.test/orders/:id/shipments', async ({ request }) => {
      const body = (await request.json()) as NewShipment;
      sent.push(body);
      kept = [...kept, { ...body, _id: `s${kept.length + 1}`, sentAt: '2026-11-21T12:00:00Z' }];
      return HttpResponse.json({ insertedId: 's2' }, { status: 201 });
    }),
  );
  const onDone = vi.fn();
  renderApp(
    <OrderShipments
      order={anOrder({ ...paidWith('pi_1'), ...facts })}
      admin={admin}
      className=""
      onDone={onDone}
    />,
    { user: customer },
  );
  return { sent, onDone };
}

const ship = /^Ship a part of it/;

describe('the shipments of an order', () => {
  it('say what left with whom, and lead to where it is', async () => {
    show([first, { _id: 's2', quantity: 20, sentAt: '2026-11-21T12:00:00Z' }]);
    expect(await screen.findByText('All 50 units shipped')).toBeVisible();
    const items = within(screen.getByRole('list', { name: 'Shipments' })).getAllByRole('listitem');
    expect(items[0]).toHaveTextContent(/^30 units with Northline.*Tracking number NL-77Track it/);
    expect(screen.getByRole('link', { name: /^Track it/ })).toHaveAttribute(
      'href',
      'https://track.example/NL-77',
    );
    expect(items[1]).toHaveTextContent(/^20 units/);
    expect(screen.queryByRole('button', { name: ship })).toBeNull();
  });

  it('never lead to what is no web page', async () => {
    show([{ ...first, trackingUrl: 'javascript:alert(1)' }]);
    expect(await screen.findByText('NL-77')).toBeVisible();
    expect(screen.queryByRole('link')).toBeNull();
  });

  it('are nothing to a buyer while nothing has left', async () => {
    show([]);
    expect(screen.getByRole('status', { name: 'Loading shipments' })).toBeVisible();
    await waitFor(() => expect(screen.queryByRole('heading')).toBeNull());
  });

  it('are added by an admin, as many as are left', async () => {
    const { sent, onDone } = show([first], true);
    expect(await screen.findByText('30 of 50 units shipped')).toBeVisible();
    await userEvent.click(await screen.findByRole('button', { name: ship }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByLabelText('Units')).toHaveValue('20');
    await userEvent.clear(dialog.getByLabelText('Units'));
    await userEvent.type(dialog.getByLabelText('Units'), '21');
    await userEvent.type(dialog.getByLabelText('Tracking link'), 'track.example');
    await userEvent.click(dialog.getByRole('button', { name: 'Ship units' }));
    expect(await dialog.findByText('Only 20 units left to ship')).toBeVisible();
    expect(dialog.getByText('Enter a link that begins with https://')).toBeVisible();
    await userEvent.clear(dialog.getByLabelText('Units'));
    await userEvent.type(dialog.getByLabelText('Units'), '20');
    await userEvent.clear(dialog.getByLabelText('Tracking link'));
    await userEvent.type(dialog.getByLabelText('Tracking number'), ' NL-78 ');
    await userEvent.click(dialog.getByRole('button', { name: 'Ship units' }));
    expect(await screen.findByText('All 50 units shipped')).toBeVisible();
    expect(sent).toEqual([{ quantity: 20, trackingNumber: 'NL-78' }]);
    expect(onDone).toHaveBeenCalledExactlyOnceWith('20 units shipped');
    expect(screen.queryByRole('button', { name: ship })).toBeNull();
  });

  it("say the shop's reason at its field", async () => {
    show([], true);
    server.use(
      http.post('http://shop.test/orders/:id/shipments', () =>
        HttpResponse.json(
          problem('validation', 422, 'Check the form.', {
            errors: [{ field: 'quantity', message: 'Only 10 are left.' }],
          }),
          { status: 422 },
        ),
      ),
    );
    expect(await screen.findByText('Nothing has shipped yet.')).toBeVisible();
    await userEvent.click(await screen.findByRole('button', { name: ship }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Ship units' }));
    expect(await dialog.findByText('Only 10 are left.')).toBeVisible();
  });

  it('are not added to an order that has shipped', async () => {
    show([{ ...first, quantity: 50 }], true, { status: 'paid' });
    expect(await screen.findByText('All 50 units shipped')).toBeVisible();
    expect(screen.queryByRole('button', { name: ship })).toBeNull();
  });
});
