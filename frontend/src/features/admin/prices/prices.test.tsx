import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import type { Product } from '@/api/types';
import { aProduct, problem } from '@/testing/orders';
import { pageOf } from '@/testing/pages';
import { address, customer as admin, renderApp, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import { TiersForm } from './components/tiers-form';
import PricesPage from './pages/prices-page';
import type { ListPrice, PriceList } from './wire';

const disc: Product = {
  ...aProduct({ price: 12.4 }),
  tiers: [
    { from: 50, price: 12.4 },
    { from: 200, price: 11.1 },
  ],
};
const pads = aProduct({
  _id: '01900000-0000-7000-8000-000000000002',
  name: 'Pads',
  partNumber: 'P-2',
});

const field = (name: string) => screen.getByLabelText(name);

async function type(name: string, text: string) {
  await userEvent.clear(field(name));
  if (text) await userEvent.type(field(name), text);
}

describe('the ladder of a product', () => {
  function show(answer: () => Response = () => HttpResponse.json({ tiers: [] })) {
    const sent: unknown[] = [];
    server.use(
      http.put('http://shop.test/products/:id/tiers', async ({ request, params }) => {
        sent.push({ id: params.id, ...((await request.json()) as object) });
        return answer();
      }),
    );
    renderApp(<TiersForm product={disc} />, { user: admin });
    return sent;
  }
  const save = () => userEvent.click(screen.getByRole('button', { name: 'Save prices' }));

  it('begins with the steps above the price, and saves them with those that are added', async () => {
    const sent = show();
    expect(screen.getByText('50+ cost $12.40 each: the price above.')).toBeVisible();
    expect(screen.getAllByRole('listitem')).toHaveLength(1);
    expect(field('From, row 1')).toHaveValue('200');
    expect(field('Price each, row 1')).toHaveValue('11.10');
    await userEvent.click(screen.getByRole('button', { name: 'Add a row' }));
    await type('From, row 2', '1000');
    await type('Price each, row 2', '9.95');
    await save();
    await waitFor(() =>
      expect(sent).toEqual([
        {
          id: disc._id,
          tiers: [
            { from: 200, price: 11.1 },
            { from: 1000, price: 9.95 },
          ],
        },
      ]),
    );
  });

  it('takes only steps that rise, each once, above the minimum order', async () => {
    const sent = show();
    await type('From, row 1', '50');
    await save();
    expect(await screen.findByText('Enter more than 50')).toBeVisible();
    await type('From, row 1', '200');
    await userEvent.click(screen.getByRole('button', { name: 'Add a row' }));
    await type('From, row 2', '200');
    await type('Price each, row 2', '9.999');
    await save();
    expect(await screen.findByText('Use at most 2 decimals')).toBeVisible();
    await type('Price each, row 2', '9.99');
    await save();
    expect(await screen.findByText('Enter more than 200')).toBeVisible();
    await type('From, row 2', '');
    await save();
    expect(await screen.findByText('From is required')).toBeVisible();
    await type('From, row 2', '1.5');
    await save();
    expect(await screen.findByText('From must be a whole number')).toBeVisible();
    expect(sent).toEqual([]);
  });

  it('says of a step that costs more that nobody will pay it, and takes it all the same', async () => {
    show();
    await type('Price each, row 1', '13');
    expect(screen.getByText(/^Dearer than the row above/)).toBeVisible();
    await type('Price each, row 1', '12.40');
    expect(screen.queryByText(/^Dearer/)).toBeNull();
  });

  it("puts the shop's sentence at its row", async () => {
    show(() =>
      HttpResponse.json(
        problem('validation', 422, 'Check the tiers.', {
          errors: [{ field: 'tiers[0].price', message: 'The price must be at least $1.00.' }],
        }),
        { status: 422 },
      ),
    );
    await save();
    await waitFor(() =>
      expect(field('Price each, row 1')).toHaveAccessibleDescription(
        'The price must be at least $1.00.',
      ),
    );
    expect(screen.queryByText('Check the tiers.')).toBeNull();
  });
});

const fleet: PriceList = {
  _id: '7',
  name: 'Fleet',
  percent: null,
  priority: 5,
  validFrom: '2026-01-01T00:00:00Z',
  validUntil: '2027-01-01T00:00:00Z',
  accounts: 1,
  prices: 1,
};
const tenOff: PriceList = {
  ...fleet,
  _id: '8',
  name: 'Ten off',
  percent: 10,
  priority: 9,
  prices: 0,
};

function shop(lists: PriceList[], items: ListPrice[] = [], emails: string[] = []) {
  const calls: { what: string; body?: unknown }[] = [];
  let kept = lists;
  let accounts = emails;
  const record = async (what: string, request: Request) => {
    calls.push({ what, body: await request.json() });
  };
  server.use(
    http.get('http://shop.test/price-lists', () => HttpResponse.json(kept)),
    http.post('http://shop.test/price-lists', async ({ request }) => {
      await record('POST', request);
      kept = [...kept, { ...fleet, _id: '9', name: 'New one', accounts: 0, prices: 0 }];
      return HttpResponse.json({ insertedId: '9' }, { status: 201 });
    }),
    http.put('http://shop.test/price-lists/:id', async ({ request, params }) => {
      await record(`PUT ${params.id}`, request);
      return HttpResponse.json({ modifiedCount: 1 });
    }),
    http.delete('http://shop.test/price-lists/:id', ({ params }) => {
      calls.push({ what: `DELETE ${params.id}` });
      kept = kept.filter(({ _id }) => String(_id) !== params.id);
      return HttpResponse.json({ deletedCount: 1 });
    }),
    http.get('http://shop.test/price-lists/:id/prices', () => HttpResponse.json({ items })),
    http.put('http://shop.test/price-lists/:id/prices', async ({ request, params }) => {
      await record(`PUT ${params.id}/prices`, request);
      return HttpResponse.json({ modifiedCount: 1 });
    }),
    http.get('http://shop.test/price-lists/:id/accounts', () =>
      HttpResponse.json({ emails: accounts }),
    ),
    http.put('http://shop.test/price-lists/:id/accounts', async ({ request, params }) => {
      await record(`PUT ${params.id}/accounts`, request.clone());
      const { emails: wanted } = (await request.json()) as { emails: string[] };
      if (wanted.includes('nobody@example.com')) {
        return HttpResponse.json(
          problem('validation', 422, 'Check the form.', {
            errors: [{ field: 'emails[1]', message: 'There is no account with this email.' }],
          }),
          { status: 422 },
        );
      }
      accounts = wanted;
      return HttpResponse.json({ modifiedCount: 1 });
    }),
    http.get('http://shop.test/products/:id', () => HttpResponse.json(disc)),
    http.get('http://shop.test/products', ({ request }) => pageOf([pads], request)),
  );
  return calls;
}

function show(at = '/dashboard/prices') {
  renderScreens({ '/dashboard/prices': <PricesPage /> }, { user: admin, at });
}

describe('price lists', () => {
  it('are shown by their priority, with what they do and when', async () => {
    shop([fleet, tenOff]);
    show();
    const table = within(await screen.findByRole('table', { name: 'Price lists' }));
    expect(
      table
        .getAllByRole('row')
        .slice(1)
        .map((row) =>
          within(row)
            .getAllByRole('cell')
            .slice(0, 5)
            .map((cell) => cell.textContent),
        ),
    ).toEqual([
      ['Ten off', '10% off', 'Jan 1, 2026 – Dec 31, 2026', '9', '1'],
      ['Fleet', '1 price', 'Jan 1, 2026 – Dec 31, 2026', '5', '1'],
    ]);
  });

  it('are added, and the new one opens', async () => {
    const calls = shop([]);
    show();
    expect(await screen.findByRole('heading', { name: 'No price lists yet' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Add a price list' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add a price list' }));
    await userEvent.click(dialog.getByRole('button', { name: 'Save price list' }));
    expect(await dialog.findByText('Name is required')).toBeVisible();
    await userEvent.type(dialog.getByLabelText('Name'), 'Spring');
    await userEvent.type(dialog.getByLabelText('Percent off list price'), '101');
    await userEvent.type(dialog.getByLabelText('First day'), '2026-05-01');
    await userEvent.type(dialog.getByLabelText('Last day'), '2026-04-01');
    await userEvent.click(dialog.getByRole('button', { name: 'Save price list' }));
    expect(await dialog.findByText('Enter 99.99 or less')).toBeVisible();
    expect(dialog.getByText('This is before the first day')).toBeVisible();
    await userEvent.clear(dialog.getByLabelText('Percent off list price'));
    await userEvent.type(dialog.getByLabelText('Percent off list price'), '12.5');
    await userEvent.clear(dialog.getByLabelText('Last day'));
    await userEvent.click(dialog.getByRole('button', { name: 'Save price list' }));
    await waitFor(() => expect(address()).toBe('/dashboard/prices?list=9'));
    await waitFor(() => expect(screen.getByRole('heading', { name: 'New one' })).toHaveFocus());
    expect(calls).toEqual([
      {
        what: 'POST',
        body: { name: 'Spring', percent: 12.5, priority: 0, validFrom: '2026-05-01' },
      },
    ]);
  });

  it('are changed, and a name that another has is said at its field', async () => {
    const calls = shop([fleet]);
    server.use(
      http.put(
        'http://shop.test/price-lists/:id',
        () =>
          HttpResponse.json(problem('name-taken', 409, 'Another price list has this name.'), {
            status: 409,
          }),
        { once: true },
      ),
    );
    show();
    await userEvent.click(await screen.findByRole('button', { name: /^Change/ }));
    const dialog = within(await screen.findByRole('dialog'));
    expect(dialog.getByLabelText('Last day')).toHaveValue('2026-12-31');
    await userEvent.click(dialog.getByRole('button', { name: 'Save price list' }));
    await waitFor(() =>
      expect(dialog.getByLabelText('Name')).toHaveAccessibleDescription(
        'Another price list has this name.',
      ),
    );
    await userEvent.type(dialog.getByLabelText('Name'), ' 2');
    await userEvent.click(dialog.getByRole('button', { name: 'Save price list' }));
    await waitFor(() =>
      expect(calls).toEqual([
        {
          what: 'PUT 7',
          body: {
            name: 'Fleet 2',
            priority: 5,
            validFrom: '2026-01-01',
            validUntil: '2026-12-31',
          },
        },
      ]),
    );
  });

  it('are deleted after a question that says what becomes of their customers', async () => {
    const calls = shop([fleet]);
    show();
    await userEvent.click(await screen.findByRole('button', { name: /^Delete/ }));
    expect(screen.getByText('1 customer will pay list prices. Orders keep theirs.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await screen.findByRole('heading', { name: 'No price lists yet' })).toBeVisible();
    expect(calls).toEqual([{ what: 'DELETE 7' }]);
  });

  it('say that there is no such list', async () => {
    shop([fleet]);
    show('/dashboard/prices?list=99');
    expect(
      await screen.findByRole('heading', { name: "We can't find that price list" }),
    ).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'All price lists' }));
    expect(await screen.findByRole('table', { name: 'Price lists' })).toBeVisible();
  });
});

describe('one price list', () => {
  it('names its parts, takes more of them, and refuses two prices from one number on', async () => {
    const calls = shop([fleet], [{ productId: disc._id, from: 50, price: 10 }]);
    show('/dashboard/prices?list=7');
    expect(await screen.findByText(disc.name)).toBeVisible();
    await userEvent.type(await screen.findByRole('combobox', { name: 'Add a part' }), 'pad');
    await userEvent.click(await screen.findByRole('option', { name: /^P-2 · Pads/ }));
    expect(screen.getByText('Not saved yet')).toBeVisible();
    const from = field('From, Pads, row 2');
    expect(from).toHaveValue(String(pads.minOrder));
    await userEvent.type(field('Price each, Pads, row 2'), '4.5');
    await userEvent.type(screen.getByRole('combobox', { name: 'Add a part' }), 'pad');
    await userEvent.click(await screen.findByRole('option', { name: /^P-2 · Pads/ }));
    await userEvent.type(field('From, Pads, row 3'), String(pads.minOrder));
    await userEvent.type(field('Price each, Pads, row 3'), '4');
    await userEvent.click(screen.getByRole('button', { name: 'Save prices' }));
    expect(
      await screen.findByText('This part already has a price from this number of units on'),
    ).toBeVisible();
    expect(calls).toEqual([]);
    await type('From, Pads, row 3', '500');
    await userEvent.click(screen.getByRole('button', { name: 'Save prices' }));
    await waitFor(() =>
      expect(calls).toEqual([
        {
          what: 'PUT 7/prices',
          body: {
            items: [
              { productId: disc._id, from: 50, price: 10 },
              { productId: pads._id, from: pads.minOrder, price: 4.5 },
              { productId: pads._id, from: 500, price: 4 },
            ],
          },
        },
      ]),
    );
    await waitFor(() => expect(screen.queryByText('Not saved yet')).toBeNull());
  });

  it('has no prices of its own where it takes a part of all', async () => {
    shop([tenOff]);
    show('/dashboard/prices?list=8');
    expect(
      await screen.findByText('Nobody has this list yet. Add a customer by email.'),
    ).toBeVisible();
    expect(screen.queryByRole('heading', { name: 'Prices of this list' })).toBeNull();
  });

  it('is given to customers by their email and taken from them', async () => {
    const calls = shop([tenOff], [], ['casey@example.com']);
    show('/dashboard/prices?list=8');
    const add = async (email: string) => {
      await userEvent.clear(await screen.findByLabelText("Customer's email"));
      await userEvent.type(field("Customer's email"), email);
      await userEvent.click(screen.getByRole('button', { name: 'Add customer' }));
    };
    await add('casey');
    expect(screen.getByText('Enter an email address')).toBeVisible();
    await add('CASEY@example.com');
    expect(screen.getByText('This customer has the list already')).toBeVisible();
    await add('nobody@example.com');
    expect(await screen.findByText('There is no account with this email.')).toBeVisible();
    expect(field("Customer's email")).toHaveValue('nobody@example.com');
    await add('robin@example.com');
    expect(await screen.findByRole('link', { name: 'robin@example.com' })).toHaveAttribute(
      'href',
      '/dashboard/users/robin%40example.com',
    );
    await userEvent.click(screen.getByRole('button', { name: 'Remove casey@example.com' }));
    await waitFor(() => expect(screen.queryByText('casey@example.com')).toBeNull());
    expect(calls.map(({ body }) => body)).toEqual([
      { emails: ['casey@example.com', 'nobody@example.com'] },
      { emails: ['casey@example.com', 'robin@example.com'] },
      { emails: ['robin@example.com'] },
    ]);
  });
});
