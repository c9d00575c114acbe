import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import type { Product } from '@/api/types';
import { aProduct, disc, problem } from '@/testing/orders';
import { matchesSearch, pageOf } from '@/testing/pages';
import { address, customer, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import { takeNotices } from '@/ui/notify';
import ManageProductsPage from './pages/manage-products-page';

/** Keeps products for sale and archived ones, as the shop does. */
function shop(forSale: Product[], archived: Product[]) {
  const calls: string[] = [];
  const prices: unknown[] = [];
  const list = (products: () => Product[]) =>
    (({ request }: { request: Request }) => {
      const q = new URL(request.url).searchParams.get('q');
      return pageOf(
        products().filter(({ name }) => matchesSearch(name, q)),
        request,
      );
    }) as never;
  server.use(
    http.get(
      'http://shop.test/products',
      list(() => forSale),
    ),
    http.get(
      'http://shop.test/archivedProducts',
      list(() => archived),
    ),
    http.post('http://shop.test/products/:id/restore', ({ params }) => {
      calls.push(`restore ${params.id}`);
      forSale.push(...archived.filter(({ _id }) => _id === params.id));
      archived.splice(0, archived.length, ...archived.filter(({ _id }) => _id !== params.id));
      return HttpResponse.json({ modifiedCount: 1 });
    }),
    http.put('http://shop.test/products/:id', async ({ request }) => {
      prices.push(await request.json());
      return HttpResponse.json({ modifiedCount: 1 });
    }),
  );
  return { calls, prices };
}

const show = (at = '/dashboard/manage') =>
  renderScreens({ '/dashboard/manage': <ManageProductsPage /> }, { user: customer, at });
const gone = aProduct({ _id: 'gone', name: 'Gone Filter' });

describe('Archived products', () => {
  it('are another list behind the switch, which the address keeps, and come back', async () => {
    const { calls } = shop([disc], [gone, aProduct({ _id: 'other', name: 'Other' })]);
    const user = userEvent.setup();
    show();
    await screen.findByRole('table', { name: 'Products' });
    await user.click(screen.getByRole('checkbox', { name: 'Archived' }));
    const table = await screen.findByRole('table', { name: 'Archived products' });
    expect(address()).toBe('/dashboard/manage?view=archived');
    expect(within(table).queryByRole('button', { name: /^Delete/ })).toBeNull();
    expect(screen.queryByRole('button', { name: /Export/ })).toBeNull();

    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'filter');
    await waitFor(() => expect(address()).toBe('/dashboard/manage?view=archived&q=filter'));
    expect(await screen.findByText('1 matching product')).toBeVisible();
    await user.click(screen.getByRole('button', { name: /^Bring back/ }));
    expect(await screen.findByText('Gone Filter is back in the shop.')).toBeVisible();
    expect(calls).toEqual(['restore gone']);
    await user.click(screen.getByRole('checkbox', { name: 'Archived' }));
    expect(await screen.findByText('1 matching product')).toBeVisible();
    expect(address()).toBe('/dashboard/manage?q=filter');
  });

  it('says that there are none, and why a product did not come back', async () => {
    shop([disc], []);
    const { unmount } = show('/dashboard/manage?view=archived');
    expect(await screen.findByRole('heading', { name: 'No archived products' })).toBeVisible();
    unmount();
    shop([disc], [gone]);
    server.use(
      http.post('http://shop.test/products/:id/restore', () =>
        HttpResponse.json(problem('unavailable', 503, 'The store is busy.'), { status: 503 }),
      ),
    );
    show('/dashboard/manage?view=archived');
    await userEvent.click(await screen.findByRole('button', { name: /^Bring back/ }));
    expect(await screen.findByRole('alert')).toHaveTextContent('The store is busy.');
  });
});

describe('A price in the table', () => {
  const open = async () => {
    const user = userEvent.setup();
    show();
    await user.click(await screen.findByRole('button', { name: /^\$129\.00/ }));
    const input = screen.getByRole('spinbutton', { name: /^Price of/ });
    expect(input).toHaveFocus();
    return { user, input };
  };

  it('is saved by Enter, without adding units', async () => {
    const { prices } = shop([disc], []);
    const { user, input } = await open();
    await user.clear(input);
    await user.type(input, '99.5{Enter}');
    await waitFor(() => expect(input).not.toBeInTheDocument());
    expect(prices).toEqual([{ updatedQuantity: 0, updatedPrice: 99.5, seenPrice: 129 }]);
    expect(takeNotices()).toEqual([{ tone: 'success', text: 'Price changed' }]);
  });

  it('stays as it was after Escape, or when nothing was changed, and takes the focus back', async () => {
    const { prices } = shop([disc], []);
    const { user, input } = await open();
    await user.type(input, '7{Escape}');
    const button = screen.getByRole('button', { name: /^\$129\.00/ });
    expect(button).toHaveFocus();
    await user.click(button);
    await user.keyboard('{Enter}');
    expect(screen.queryByRole('spinbutton')).toBeNull();
    expect(prices).toEqual([]);
  });

  it('says what is wrong with it, and what somebody else made of it', async () => {
    const { prices } = shop([disc], []);
    const { user, input } = await open();
    await user.clear(input);
    await user.type(input, '1.005{Enter}');
    expect(await screen.findByRole('alert')).toHaveTextContent('Use at most two decimals');
    expect(prices).toEqual([]);
    const moved = "Someone else changed the price; it's $140.00 now.";
    server.use(
      http.put(
        'http://shop.test/products/:id',
        () =>
          HttpResponse.json(problem('price-changed', 409, moved, { price: 140 }), { status: 409 }),
        { once: true },
      ),
    );
    await user.clear(input);
    await user.type(input, '150{Enter}');
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(moved));
    await user.keyboard('{Enter}');
    await waitFor(() =>
      expect(prices).toEqual([{ updatedQuantity: 0, updatedPrice: 150, seenPrice: 140 }]),
    );
  });
});
