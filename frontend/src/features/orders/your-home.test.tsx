import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import type { Order } from '@/api/types';
import { readDraft } from '@/features/catalog/draft';
import { remember, VIEWED } from '@/lib/recent';
import { anOrder, disc, paidWith, problem } from '@/testing/orders';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import YourHome from './components/your-home';

function orders(list: readonly Order[]) {
  server.use(
    http.get('*/orders', () => HttpResponse.json(list)),
    http.get('*/products/:id', () => HttpResponse.json(disc)),
  );
}

const show = () => renderApp(<YourHome />, { user: customer });
const panel = async (name: string) => within(await screen.findByRole('region', { name }));

describe('what Home has for whoever is logged in', () => {
  it('leads to the payment of the one order that is unpaid', async () => {
    orders([anOrder(), anOrder({ _id: 'o2', ...paidWith('pi_2') })]);
    show();
    const toPay = await panel('To pay');
    expect(await toPay.findByText('$6,450')).toBeVisible();
    expect(toPay.getByText('1 unpaid order')).toBeVisible();
    expect(toPay.getByRole('link', { name: 'Pay now' })).toHaveAttribute(
      'href',
      `/dashboard/payment/${anOrder()._id}`,
    );
  });

  it('adds up what several orders cost, and leaves out what a card cannot pay', async () => {
    orders([
      anOrder({ price: 100.1 }),
      anOrder({ _id: 'o2', price: 200.2 }),
      anOrder({ _id: 'o3', price: 2_000_000, payableByCard: false }),
    ]);
    show();
    const toPay = await panel('To pay');
    expect(await toPay.findByText('$300.30')).toBeVisible();
    expect(toPay.getByRole('link', { name: 'View unpaid orders' })).toHaveAttribute(
      'href',
      '/dashboard/myOrders',
    );
  });

  it('offers each part that was ordered again, filled in from its latest order', async () => {
    orders([
      anOrder({ _id: 'new', quantity: 120 }),
      anOrder({ _id: 'old', quantity: 50 }),
      anOrder({ _id: 'pads', productId: 'p2', productName: 'Brake Pads' }),
    ]);
    show();
    const again = await panel('Order again');
    const rows = await again.findAllByRole('listitem');
    expect(rows).toHaveLength(2);
    expect(rows[0]).toHaveTextContent('120 units');
    await userEvent.click(
      within(rows[0] as HTMLElement).getByRole('link', { name: /^Order again/ }),
    );
    expect(readDraft(disc._id, customer.email)).toMatchObject({ quantity: '120', open: true });
  });

  it('shows the parts that were looked at by this account in this browser', async () => {
    orders([]);
    remember(VIEWED, 'other@example.com', { to: '/product/9', label: 'Secret Part' });
    remember(VIEWED, customer.email, { to: '/product/1', label: 'Turbo', detail: 'DL-TC-1' });
    show();
    const viewed = await panel('Recently viewed');
    expect(viewed.getByRole('link', { name: 'Turbo' })).toHaveAttribute('href', '/product/1');
    expect(viewed.queryByText('Secret Part')).toBeNull();
    expect(await (await panel('To pay')).findByText('Nothing to pay. Thank you!')).toBeVisible();
    expect(
      (await panel('Order again')).getByText(/^Parts you order will appear here/),
    ).toBeVisible();
  });

  it('says what failed, asks again, and signs nobody out', async () => {
    server.use(
      http.get('*/orders', () =>
        HttpResponse.json(problem('forbidden', 403, 'No.'), { status: 403 }),
      ),
    );
    show();
    const toPay = await panel('To pay');
    expect(await toPay.findByRole('alert')).toHaveTextContent("We couldn't load your orders.");
    orders([anOrder()]);
    await userEvent.click(toPay.getByRole('button', { name: 'Try again' }));
    expect(await toPay.findByText('1 unpaid order')).toBeVisible();
  });
});
