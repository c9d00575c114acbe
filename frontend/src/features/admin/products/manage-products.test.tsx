import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, HttpResponse, http } from 'msw';
import { useLocation } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import type { Product } from '@/api/types';
import { aProduct, disc, problem } from '@/testing/orders';
import { matchesSearch, pageOf } from '@/testing/pages';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import { takeNotices } from '@/ui/notify';
import { PAGE_SIZE } from '../shared/use-list-address';
import ManageProductsPage from './pages/manage-products-page';

function product(place: number, facts: Partial<Product> = {}): Product {
  return aProduct({ _id: `p${place}`, name: `Part ${place}`, ...facts });
}

/** Lists, restocks and deletes as the shop does; notes what it was asked. */
function shop(products: Product[]) {
  let kept = products;
  const requested: URLSearchParams[] = [];
  const restocks: unknown[] = [];
  server.use(
    http.get('http://shop.test/products', ({ request }) => {
      const params = new URL(request.url).searchParams;
      requested.push(params);
      const found = kept.filter(({ name, category }) => {
        const part = params.get('category');
        return matchesSearch(name, params.get('q')) && (part === null || part === category);
      });
      return pageOf(found, request);
    }),
    http.put('http://shop.test/products/:id', async ({ request, params }) => {
      const restock = (await request.json()) as { updatedQuantity: number; updatedPrice: number };
      restocks.push({ id: params.id, ...restock });
      kept = kept.map((each) =>
        each._id === params.id
          ? {
              ...each,
              availableQty: each.availableQty + restock.updatedQuantity,
              price: restock.updatedPrice,
            }
          : each,
      );
      return HttpResponse.json({ modifiedCount: 1 });
    }),
    http.delete('http://shop.test/products/:id', ({ params }) => {
      kept = kept.filter(({ _id }) => _id !== params.id);
      return HttpResponse.json({ deletedCount: 1 });
    }),
  );
  return { requested, restocks };
}

function Address() {
  const { search } = useLocation();
  return <output aria-label="Address">{search}</output>;
}
const screens = (
  <>
    <ManageProductsPage />
    <Address />
  </>
);
const show = (at = '/dashboard/manage') => renderApp(screens, { user: customer, at });
const address = () => screen.getByRole('status', { name: 'Address' }).textContent;
const cellsOf = (row: HTMLElement) =>
  within(row)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

describe('Manage Products', () => {
  it('shows the columns of the spec, long names cut for the eye only', async () => {
    shop([disc, product(2, { price: 9.5, category: 'TIRES' })]);
    show();
    await screen.findByRole('table');
    expect(
      screen.getAllByRole('columnheader').map((head) => head.ariaLabel ?? head.textContent),
    ).toEqual(['No.', 'Image', 'Name', 'Quantity', 'Price per unit', 'Actions']);
    expect(screen.getByTitle(disc.name)).toHaveTextContent(/^Vented Brake Disc 32…$/);
    const [first, second] = screen.getAllByRole('row').slice(1) as [HTMLElement, HTMLElement];
    expect(within(first).getByText('BRAKES')).toBeVisible();
    expect(cellsOf(first)[3]).toBe('4,200Minimum 50');
    expect(within(first).getByText('DL-1000')).toBeVisible();
    expect(within(first).getByRole('link', { name: disc.name })).toHaveAttribute(
      'href',
      `/product/${disc._id}`,
    );
    expect(cellsOf(second)[4]).toBe('$9.50');
  });

  it('sorts by a press on the heading, and the other way round by another one', async () => {
    const { requested } = shop([disc]);
    const user = userEvent.setup();
    show();
    const price = await screen.findByRole('columnheader', { name: 'Price per unit' });
    const button = within(price).getByRole('button');
    await user.click(button);
    await waitFor(() => expect(requested.at(-1)?.get('sort')).toBe('price'));
    await user.click(button);
    await waitFor(() => expect(requested.at(-1)?.get('sort')).toBe('-price'));
    expect(price).toHaveAttribute('aria-sort', 'descending');
    expect(screen.getByLabelText('Sort by')).toHaveValue('-price');
    expect(button).toHaveFocus();
  });

  it('shows that it loads, then that there is nothing yet', async () => {
    server.use(
      http.get('http://shop.test/products', async () => {
        await delay(20);
        return HttpResponse.json([]);
      }),
    );
    show();
    expect(screen.getByRole('status', { name: 'Loading products' })).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'No products yet' })).toBeVisible();
  });

  it('says what failed and tries again', async () => {
    let broken = true;
    server.use(
      http.get('http://shop.test/products', () =>
        broken
          ? HttpResponse.json(problem('internal', 500, 'The shop stumbled.'), { status: 500 })
          : HttpResponse.json([disc]),
      ),
    );
    show();
    expect(await screen.findByText('The shop stumbled.')).toBeVisible();
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('table')).toBeVisible();
  });

  it('lets the shop search, sort and pick a category, all of it in the address', async () => {
    const { requested } = shop([disc, product(2, { category: 'TIRES' })]);
    const user = userEvent.setup();
    show();
    await screen.findByRole('table');
    expect(requested[0]?.get('limit')).toBe(String(PAGE_SIZE));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), '-price');
    await waitFor(() => expect(requested.at(-1)?.get('sort')).toBe('-price'));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Category' }), 'Tires');
    expect(await screen.findByText('1 matching product')).toBeVisible();
    expect(requested.at(-1)?.get('category')).toBe('TIRES');
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'nowhere');
    expect(
      await screen.findByRole('heading', { name: 'No products match your search' }),
    ).toBeVisible();
    expect(requested.at(-1)?.get('q')).toBe('nowhere');
    expect(address()).toBe('?q=nowhere&category=TIRES&sort=-price');
    await user.click(screen.getByRole('button', { name: 'Show all products' }));
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(3));
    expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveValue('');
    expect(address()).toBe('?sort=-price');
  });

  it('begins with what the address asks for, and ignores the unknown', async () => {
    const { requested } = shop([disc, product(2)]);
    show('/dashboard/manage?q=disc&category=SHOES&sort=price');
    expect(await screen.findByText('1 matching product')).toBeVisible();
    expect(Object.fromEntries(requested[0] ?? [])).toEqual({
      q: 'disc',
      sort: 'price',
      limit: String(PAGE_SIZE),
    });
    expect(screen.getByRole('searchbox', { name: 'Search' })).toHaveValue('disc');
    expect(screen.getByRole('combobox', { name: 'Category' })).toHaveValue('unfiltered');
  });

  it('turns pages by cursor, numbers them through, and comes back from one it emptied', async () => {
    const all = Array.from({ length: PAGE_SIZE + 1 }, (_, place) => product(place + 1));
    const { requested } = shop(all);
    const user = userEvent.setup();
    show();
    expect(await screen.findByText(`1–${PAGE_SIZE} of ${PAGE_SIZE + 1} products`)).toBeVisible();
    expect(screen.getByRole('button', { name: 'Previous' })).toBeDisabled();
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
    expect(requested.at(-1)?.get('cursor')).toBe(`p${PAGE_SIZE}`);
    expect(address()).toBe(`?cursor=p${PAGE_SIZE}&page=2`);
    expect(cellsOf(screen.getAllByRole('row')[1] as HTMLElement)[0]).toBe(String(PAGE_SIZE + 1));
    expect(screen.getByRole('button', { name: 'Next' })).toBeDisabled();
    expect(
      screen.getByText(`${PAGE_SIZE + 1}–${PAGE_SIZE + 1} of`, { exact: false }),
    ).toHaveFocus();

    await user.click(screen.getByRole('button', { name: /^Delete/ }));
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await screen.findByText(`${PAGE_SIZE} products`)).toBeVisible();
    expect(screen.queryByRole('navigation', { name: 'Pages' })).not.toBeInTheDocument();
    expect(address()).toBe('');
  });

  it('goes back page by page, and to the first one where the address came from elsewhere', async () => {
    shop(Array.from({ length: 2 * PAGE_SIZE + 1 }, (_, place) => product(place + 1)));
    const user = userEvent.setup();
    const { unmount } = show();
    await user.click(await screen.findByRole('button', { name: 'Next' }));
    await screen.findByText('Page 2 of 3');
    await waitFor(() => expect(screen.getByText(/^21–40 of/)).toBeVisible());
    await user.click(screen.getByRole('button', { name: 'Next' }));
    await waitFor(() => expect(screen.getByText(/^41–41 of/)).toBeVisible());
    await user.click(screen.getByRole('button', { name: 'Previous' }));
    await waitFor(() => expect(screen.getByText(/^21–40 of/)).toBeVisible());
    expect(address()).toBe(`?cursor=p${PAGE_SIZE}&page=2`);
    unmount();

    show(`/dashboard/manage?cursor=p${2 * PAGE_SIZE}&page=3`);
    expect(await screen.findByText(/^41–41 of/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'First page' }));
    await waitFor(() => expect(screen.getByText(/^1–20 of/)).toBeVisible());
    expect(address()).toBe('');
  });

  it('believes the count of the shop where products went since the address was made', async () => {
    const all = Array.from({ length: PAGE_SIZE + 10 }, (_, place) => product(place + 1));
    shop(all.slice(5));
    show(`/dashboard/manage?cursor=p${PAGE_SIZE}&page=2`);
    expect(await screen.findByText(/^21–30 of/)).toHaveTextContent(`of ${PAGE_SIZE + 5} products`);
  });

  it('marks what runs low', async () => {
    shop([disc, product(2, { availableQty: 60 }), product(3, { availableQty: 0 })]);
    show();
    const rows = (await screen.findAllByRole('row')).slice(1);
    expect(rows.map((row) => cellsOf(row)[2]?.replace(/^.*BRAKES/, ''))).toEqual([
      '',
      'Low stock',
      'Sold out',
    ]);
  });

  it('adds what is typed to the stock, sets the price, and says so in a toast', async () => {
    const { restocks } = shop([disc]);
    const user = userEvent.setup();
    show();
    await user.click(await screen.findByRole('button', { name: /^Update/ }));
    const dialog = within(screen.getByRole('dialog', { name: 'Update' }));
    const quantity = dialog.getByRole('spinbutton', { name: 'Quantity' });
    expect(quantity).toHaveFocus();
    expect(quantity).toHaveAccessibleDescription(/current stock: 4,200/);
    const price = dialog.getByRole('spinbutton', { name: 'Price' });
    expect(price).toHaveValue(129);
    await user.clear(quantity);
    await user.type(quantity, '300');
    await user.clear(price);
    await user.type(price, '99.5');
    expect(dialog.getByText('New stock: 4,500 · $99.50 each')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: 'Update' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(takeNotices()).toEqual([{ tone: 'success', text: 'Restocked Successfully' }]);
    expect(restocks).toEqual([
      { id: disc._id, updatedQuantity: 300, updatedPrice: 99.5, seenPrice: disc.price },
    ]);
    expect(await screen.findByText('4,500')).toBeVisible();
    expect(screen.getByText('$99.50')).toBeVisible();
  });

  it('puts no old price back that another admin has changed meanwhile, and says what happened', async () => {
    const { restocks } = shop([disc]);
    const moved = 'Somebody else has changed the price: it is $140.00 now';
    server.use(
      http.put(
        'http://shop.test/products/:id',
        async ({ request }) => {
          restocks.push(await request.json());
          return HttpResponse.json(problem('price-changed', 409, moved, { price: 140 }), {
            status: 409,
          });
        },
        { once: true },
      ),
    );
    const user = userEvent.setup();
    show();
    await user.click(await screen.findByRole('button', { name: /^Update/ }));
    const dialog = within(screen.getByRole('dialog', { name: 'Update' }));
    const quantity = dialog.getByRole('spinbutton', { name: 'Quantity' });
    await user.clear(quantity);
    await user.type(quantity, '10');
    await user.click(dialog.getByRole('button', { name: 'Update' }));
    expect(await dialog.findByText(moved)).toBeVisible();
    expect(dialog.getByRole('spinbutton', { name: 'Price' })).toHaveValue(140);
    await user.click(dialog.getByRole('button', { name: 'Update' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(restocks).toEqual([
      { updatedQuantity: 10, updatedPrice: 129, seenPrice: 129 },
      { id: disc._id, updatedQuantity: 10, updatedPrice: 140, seenPrice: 140 },
    ]);
    expect(takeNotices()).toEqual([{ tone: 'success', text: 'Restocked Successfully' }]);
  });

  it('corrects the stock to what was counted, with a reason, and shows what was done before', async () => {
    shop([disc]);
    const corrections: unknown[] = [];
    server.use(
      http.get('http://shop.test/products/:id/stock-history', () =>
        HttpResponse.json([
          {
            what: 'corrected',
            who: 'admin@example.com',
            when: '2026-03-02T10:00:00Z',
            units: -30,
            reason: 'breakage',
            note: 'a forklift',
          },
          { what: 'restocked', who: null, when: '2026-03-01T10:00:00Z', units: 500, price: 129 },
        ]),
      ),
      http.post('http://shop.test/products/:id/stock-corrections', async ({ request }) => {
        corrections.push(await request.json());
        return HttpResponse.json({ availableQty: 4150 }, { status: 201 });
      }),
    );
    const user = userEvent.setup();
    show();
    await user.click(await screen.findByRole('button', { name: /^Correct/ }));
    const dialog = within(screen.getByRole('dialog', { name: 'Correct stock' }));
    expect(await dialog.findByText('−30, damaged: a forklift')).toBeVisible();
    expect(dialog.getByText(/^\+500 delivered at \$129\.00/)).toBeVisible();
    const counted = dialog.getByRole('spinbutton', { name: 'Counted units' });
    expect(counted).toHaveAccessibleDescription('Current stock: 4,200');
    await user.click(dialog.getByRole('button', { name: 'Correct stock' }));
    await waitFor(() =>
      expect(counted).toHaveAccessibleDescription(/That's the current stock already/),
    );
    await user.clear(counted);
    await user.type(counted, '4150');
    await user.selectOptions(dialog.getByRole('combobox', { name: 'Reason' }), 'Damaged');
    await user.type(dialog.getByRole('textbox', { name: 'Note' }), 'Wet boxes');
    await user.click(dialog.getByRole('button', { name: 'Correct stock' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(takeNotices()).toEqual([{ tone: 'success', text: 'Stock corrected' }]);
    expect(corrections).toEqual([{ delta: -50, reason: 'breakage', note: 'Wet boxes' }]);
  });

  it.each([
    ['-1', '9', 'Quantity', /can't be negative/],
    ['1.5', '9', 'Quantity', /whole number/],
    ['1', '0', 'Price', /Enter \$0\.01 or more/],
    ['1', '1.005', 'Price', /two decimals/],
  ])('refuses %s units at %s dollars', async (units, dollars, name, message) => {
    const { restocks } = shop([disc]);
    const user = userEvent.setup();
    show();
    await user.click(await screen.findByRole('button', { name: /^Update/ }));
    const dialog = within(screen.getByRole('dialog'));
    for (const [field, value] of [
      ['Quantity', units],
      ['Price', dollars],
    ] as const) {
      const input = dialog.getByRole('spinbutton', { name: field });
      await user.clear(input);
      await user.type(input, value);
    }
    await user.click(dialog.getByRole('button', { name: 'Update' }));
    await waitFor(() =>
      expect(dialog.getByRole('spinbutton', { name })).toHaveAccessibleDescription(message),
    );
    expect(restocks).toEqual([]);
  });

  it("deletes after the spec's question, and only after Yes", async () => {
    shop([disc, product(2)]);
    const user = userEvent.setup();
    show();
    await user.click(await screen.findByRole('button', { name: /^Delete ?Vented/ }));
    const question = `Are you sure you want to delete this ${disc.name}`;
    expect(within(screen.getByRole('alertdialog')).getByText(question)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'No' }));
    expect(screen.getAllByRole('row')).toHaveLength(3);
    await user.click(screen.getByRole('button', { name: /^Delete ?Vented/ }));
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(`${disc.name} deleted.`);
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
  });

  it('says inside the question why nothing was deleted', async () => {
    shop([disc]);
    server.use(
      http.delete('http://shop.test/products/:id', () =>
        HttpResponse.json(problem('forbidden', 403, 'You are not authorized to do this'), {
          status: 403,
        }),
      ),
    );
    const user = userEvent.setup();
    show();
    await user.click(await screen.findByRole('button', { name: /^Delete/ }));
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await within(screen.getByRole('alertdialog')).findByRole('alert')).toHaveTextContent(
      'You are not authorized to do this',
    );
  });
});
