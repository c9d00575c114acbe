import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import type { Order } from '@/api/types';
import { anOrder, paidWith, problem } from '@/testing/orders';
import { pageOf } from '@/testing/pages';
import { address, customer, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import OrdersPage from './pages/orders-page';

const first = anOrder({ _id: 'o1', number: 'DL-1', ...paidWith('pi_1'), name: 'Ana Bell' });
const second = anOrder({ _id: 'o2', number: 'DL-2', name: 'Ben Cole' });
const third = anOrder({ _id: 'o3', number: 'DL-3', ...paidWith('pi_3'), name: 'Cleo Diaz' });
const shipped = anOrder({ _id: 'o4', number: 'DL-4', ...paidWith('pi_4'), status: 'paid' });

/** A shop that ships all but `refuses`. */
function shop(orders: Order[], refuses?: string) {
  let kept = orders;
  const calls: string[] = [];
  server.use(
    // The views go without their counts.
    // A refusal that is not asked again: what is sent later would be the next test's.
    http.get('http://shop.test/orderCounts', () => new HttpResponse(null, { status: 404 })),
    http.get('http://shop.test/allOrders', ({ request }) => pageOf(kept, request)),
    http.put('http://shop.test/orders/status/:id', ({ params }) => {
      calls.push(String(params.id));
      if (params.id === refuses) {
        return HttpResponse.json(problem('conflict', 409, 'This order was canceled.'), {
          status: 409,
        });
      }
      kept = kept.map((order) => (order._id === params.id ? { ...order, status: 'paid' } : order));
      return HttpResponse.json({ modifiedCount: 1 });
    }),
  );
  return calls;
}

async function show() {
  renderScreens(
    { '/dashboard/orders': <OrdersPage /> },
    { user: customer, at: '/dashboard/orders' },
  );
  await screen.findAllByRole('article');
  return userEvent.setup();
}

const linkOf = (order: Order) => {
  const card = screen.getByRole('article', { name: `Order: ${order.productName}, ${order.name}` });
  return within(card).getByRole('link', { name: order.productName });
};

describe('shipping several orders', () => {
  it('asks once, names all of them, and says afterwards who was refused and why', async () => {
    const calls = shop([first, second, third, shipped], 'o2');
    const user = await show();
    expect(screen.queryByRole('checkbox', { name: 'Select order DL-4' })).toBeNull();
    await user.click(screen.getByRole('checkbox', { name: 'Select order DL-1' }));
    expect(screen.getByRole('button', { name: 'Ship 1 order' })).toBeEnabled();
    await user.click(screen.getByRole('button', { name: 'Select all on this page' }));
    await user.click(screen.getByRole('button', { name: 'Ship 3 orders' }));
    const question = within(screen.getByRole('alertdialog'));
    expect(question.getByText('Ship these 3 orders?')).toBeVisible();
    expect(question.getByRole('button', { name: 'Cancel' })).toHaveFocus();
    expect(question.getAllByRole('listitem').map((line) => line.textContent)).toEqual([
      `DL-1: 50 × ${first.productName} (DL-1000), for Ana Bell`,
      `DL-2: 50 × ${first.productName} (DL-1000), for Ben Cole`,
      `DL-3: 50 × ${first.productName} (DL-1000), for Cleo Diaz`,
    ]);
    expect(question.getByText(/^1 of them hasn't been paid/)).toBeVisible();
    expect(calls).toEqual([]);
    await user.click(question.getByRole('button', { name: 'Ship 3 orders' }));
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('2 orders shipped.');
    expect(alert).toHaveTextContent("We couldn't ship 1 order:");
    expect(alert).toHaveTextContent('DL-2, Ben Cole: This order was canceled.');
    expect(document.querySelector('dialog')).toBeNull();
    expect([...calls].sort()).toEqual(['o1', 'o2', 'o3']);
    await waitFor(() =>
      expect(screen.queryByRole('checkbox', { name: 'Select order DL-1' })).toBeNull(),
    );
  });

  it('shows how far it is, and cannot be closed meanwhile', async () => {
    shop([first, third]);
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    server.use(
      http.put('http://shop.test/orders/status/o3', async () => {
        await held;
        return HttpResponse.json({ modifiedCount: 1 });
      }),
    );
    const user = await show();
    await user.click(screen.getByRole('button', { name: 'Select all on this page' }));
    await user.click(screen.getByRole('button', { name: 'Ship 2 orders' }));
    const question = within(screen.getByRole('alertdialog'));
    await user.click(question.getByRole('button', { name: 'Ship 2 orders' }));
    expect(await question.findByText('Shipping… 1 of 2')).toBeVisible();
    expect(question.getByRole('button', { name: 'Close' })).toBeDisabled();
    release();
    expect(await screen.findByText('2 orders shipped.')).toBeVisible();
  });
});

describe('the keys of the orders', () => {
  it('go from one order to the next and back, and open it', async () => {
    shop([first, second]);
    const user = await show();
    await user.keyboard('k');
    expect(linkOf(first)).toHaveFocus();
    await user.keyboard('jj');
    expect(linkOf(second)).toHaveFocus();
    await user.keyboard('k');
    expect(linkOf(first)).toHaveFocus();
    await user.keyboard('{Enter}');
    await waitFor(() => expect(address()).toBe('/dashboard/order/o1'));
  });

  it('ask to ship the order, and Enter confirms', async () => {
    const calls = shop([first, second]);
    const user = await show();
    await user.keyboard('js');
    const yes = await screen.findByRole('button', { name: 'Yes' });
    await waitFor(() => expect(yes).toHaveFocus());
    await user.keyboard('j');
    expect(yes).toHaveFocus();
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Product Shipped...!!!');
    expect(calls).toEqual(['o1']);
  });

  it('do nothing to an order that has shipped', async () => {
    shop([shipped]);
    const user = await show();
    await user.keyboard('jsx');
    expect(document.querySelector('dialog')).toBeNull();
  });

  it('ask to ship all that are selected', async () => {
    shop([first, second]);
    const user = await show();
    await user.keyboard('jxjxs');
    expect(await screen.findByText('Ship these 2 orders?')).toBeVisible();
    const ship = screen.getAllByRole('button', { name: 'Ship 2 orders' }).at(-1);
    await waitFor(() => expect(ship).toHaveFocus());
  });

  it('select all of the page that can be shipped, and none again', async () => {
    shop([first, second, shipped]);
    const user = await show();
    await user.keyboard('a');
    expect(screen.getByRole('button', { name: 'Ship 2 orders' })).toBeVisible();
    await user.keyboard('a');
    expect(screen.queryByRole('button', { name: /^Ship \d/ })).toBeNull();
    await user.keyboard('jxas');
    expect(await screen.findByText('Ship these 2 orders?')).toBeVisible();
  });

  it('are text where somebody types, and shortcuts of the browser stay its own', async () => {
    shop([first]);
    const user = await show();
    const search = screen.getByLabelText('Search');
    await user.type(search, 'js?');
    expect(search).toHaveValue('js?');
    expect(search).toHaveFocus();
    expect(document.querySelector('dialog')).toBeNull();
    await user.click(document.body);
    await user.keyboard('{Control>}j{/Control}');
    expect(linkOf(first)).not.toHaveFocus();
  });

  it('are listed in a help, where they can be switched off for good', async () => {
    shop([first]);
    const user = await show();
    await user.keyboard('?');
    const help = within(screen.getByRole('dialog', { name: 'Keyboard shortcuts' }));
    expect(help.getByText('Next order')).toBeVisible();
    await user.click(help.getByRole('checkbox', { name: 'Use these shortcuts' }));
    await user.click(help.getByRole('button', { name: 'Close' }));
    await user.keyboard('j?');
    expect(linkOf(first)).not.toHaveFocus();
    expect(document.querySelector('dialog')).toBeNull();
    expect(localStorage.getItem('orderKeys')).toBe('off');
  });
});
