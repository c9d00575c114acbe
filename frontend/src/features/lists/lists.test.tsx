import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { readKept } from '@/features/quick-order/kept';
import { aProduct, problem } from '@/testing/orders';
import { pageOf } from '@/testing/pages';
import { address, customer, renderApp, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import { SaveAsList } from './components/save-as-list';
import ListsPage from './pages/lists-page';
import { summed, withLines } from './use-save-as-list';
import type { ListedList, SavedList, SentList } from './wire';

const pads = aProduct({ _id: 'p2', name: 'Pads', partNumber: 'P-2', minOrder: 60 });
const discs = { productId: 'p1', quantity: 50, name: 'Discs', partNumber: 'D-1' };
const monday: SavedList = { _id: 'l1', name: 'Monday', lines: [discs] };

function shop(lists: SavedList[]) {
  const calls: { what: string; body?: unknown }[] = [];
  let kept = lists;
  const listed = (): ListedList[] =>
    kept.map(({ _id, name, lines }, place) => ({
      _id,
      name,
      lines: lines.length,
      changedAt: `2026-11-0${place + 1}T12:00:00Z`,
    }));
  server.use(
    http.get('http://shop.test/lists', () => HttpResponse.json(listed())),
    http.post('http://shop.test/lists', async ({ request }) => {
      const { name } = (await request.clone().json()) as SentList;
      calls.push({ what: 'POST', body: await request.json() });
      kept = [...kept, { _id: 'new', name, lines: [] }];
      return HttpResponse.json({ insertedId: 'new' }, { status: 201 });
    }),
    http.get('http://shop.test/lists/:id', ({ params }) => {
      const found = kept.find(({ _id }) => _id === params.id);
      return found
        ? HttpResponse.json(found)
        : HttpResponse.json(problem('not-found', 404, 'No such list.'), { status: 404 });
    }),
    http.put('http://shop.test/lists/:id', async ({ request, params }) => {
      const body = (await request.json()) as SentList;
      calls.push({ what: `PUT ${params.id}`, body });
      kept = kept.map((list) => (list._id === params.id ? { ...list, name: body.name } : list));
      return HttpResponse.json({ modifiedCount: 1 });
    }),
    http.delete('http://shop.test/lists/:id', ({ params }) => {
      calls.push({ what: `DELETE ${params.id}` });
      kept = kept.filter(({ _id }) => _id !== params.id);
      return HttpResponse.json({ deletedCount: 1 });
    }),
    http.post('http://shop.test/lists/:id/check', ({ params }) => {
      calls.push({ what: `CHECK ${params.id}` });
      const row = { ...discs, line: 1, text: 'D-1 50', status: 'ok', message: null, price: 6 };
      return HttpResponse.json({ rows: [row], ok: 1, attention: 0, unknown: 0 });
    }),
    http.get('http://shop.test/products', ({ request }) => pageOf([pads], request)),
  );
  return calls;
}

function show(at = '/dashboard/lists') {
  renderScreens({ '/dashboard/lists': <ListsPage /> }, { user: customer, at });
}

describe('saved lists', () => {
  it('are shown with how much is in them, the one changed last first', async () => {
    shop([monday, { _id: 'l2', name: 'Fleet', lines: [] }]);
    show();
    const items = within(await screen.findByRole('list', { name: 'Your lists' })).getAllByRole(
      'listitem',
    );
    expect(items[0]).toHaveTextContent(/Fleet0 parts · Changed Nov 2, 2026/);
    expect(items[1]).toHaveTextContent(/Monday1 part · Changed Nov 1, 2026/);
    // Nothing can be ordered by an empty one.
    expect(
      within(items[0] as HTMLElement).getByRole('button', { name: /^Check and order/ }),
    ).toBeDisabled();
  });

  it('are begun with a name, and open', async () => {
    const calls = shop([]);
    show();
    expect(await screen.findByRole('heading', { name: 'No lists yet' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'New list' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'New list' }));
    await userEvent.click(await dialog.findByRole('button', { name: 'Create list' }));
    expect(await dialog.findByText('Name is required')).toBeVisible();
    await userEvent.type(dialog.getByLabelText('Name'), ' Monday ');
    await userEvent.click(dialog.getByRole('button', { name: 'Create list' }));
    await waitFor(() => expect(address()).toBe('/dashboard/lists?list=new'));
    await waitFor(() => expect(screen.getByRole('heading', { name: 'Monday' })).toHaveFocus());
    expect(calls).toEqual([{ what: 'POST', body: { name: 'Monday', lines: [] } }]);
  });

  it('are checked, and their lines laid out in Quick order, where nothing is bought yet', async () => {
    const calls = shop([monday]);
    show();
    await userEvent.click(await screen.findByRole('button', { name: /^Check and order/ }));
    await waitFor(() => expect(address()).toBe('/dashboard/quickOrder'));
    expect(calls).toEqual([{ what: 'CHECK l1' }]);
    expect(readKept(customer.email)?.rows).toMatchObject([
      { productId: 'p1', quantity: 50, status: 'ok' },
    ]);
    expect(readKept('robin@example.com')).toBeNull();
  });

  it('stay where they are when they cannot be checked', async () => {
    shop([monday]);
    server.use(
      http.post('http://shop.test/lists/:id/check', () =>
        HttpResponse.json(problem('rate-limited', 429, 'Wait a minute.'), { status: 429 }),
      ),
    );
    show();
    await userEvent.click(await screen.findByRole('button', { name: /^Check and order/ }));
    await waitFor(() =>
      expect(screen.getByRole('button', { name: /^Check and order/ })).toBeEnabled(),
    );
    expect(address()).toBe('/dashboard/lists');
  });

  it('are deleted after a question', async () => {
    const calls = shop([monday]);
    show();
    await userEvent.click(await screen.findByRole('button', { name: /^Delete/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await screen.findByRole('heading', { name: 'No lists yet' })).toBeVisible();
    expect(calls).toEqual([{ what: 'DELETE l1' }]);
  });

  it('say that there is no such list', async () => {
    shop([]);
    show('/dashboard/lists?list=other');
    expect(await screen.findByRole('heading', { name: "We can't find that list" })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'All lists' }));
    expect(address()).toBe('/dashboard/lists');
  });
});

describe('one list', () => {
  const quantity = (name: string) => screen.getByLabelText(`Quantity of ${name}`);

  it('is renamed, gets parts and loses them, and is checked only as it is saved', async () => {
    const calls = shop([monday]);
    show('/dashboard/lists?list=l1');
    expect(await screen.findByRole('button', { name: 'Check and order' })).toBeEnabled();
    await userEvent.clear(screen.getByLabelText('Name of the list'));
    await userEvent.type(screen.getByLabelText('Name of the list'), 'Tuesday');
    expect(screen.getByRole('button', { name: 'Check and order' })).toBeDisabled();
    expect(screen.getByText('Save your changes first, then check the list.')).toBeVisible();
    const find = screen.getByRole('combobox', { name: 'Add a part' });
    await userEvent.type(find, 'pads');
    await userEvent.click(await screen.findByRole('option', { name: /^P-2 · Pads/ }));
    expect(quantity('Pads')).toHaveValue('60');
    await userEvent.type(find, 'pads');
    await userEvent.click(await screen.findByRole('option', { name: /^P-2 · Pads/ }));
    expect(screen.getAllByLabelText('Quantity of Pads')).toHaveLength(1);
    await userEvent.clear(quantity('Discs'));
    await userEvent.type(quantity('Discs'), '2.5');
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
    expect(await screen.findByText('Enter a whole number from 1')).toBeVisible();
    expect(calls).toEqual([]);
    await userEvent.click(screen.getByRole('button', { name: 'Remove Discs' }));
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
    await waitFor(() =>
      expect(calls).toEqual([
        {
          what: 'PUT l1',
          body: { name: 'Tuesday', lines: [{ productId: 'p2', quantity: 60 }] },
        },
      ]),
    );
    expect(await screen.findByRole('heading', { name: 'Tuesday' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Check and order' })).toBeEnabled();
  });

  it("says the shop's reason against a change, and keeps what was typed", async () => {
    shop([monday]);
    server.use(
      http.put('http://shop.test/lists/:id', () =>
        HttpResponse.json(
          problem('validation', 422, 'Check the form.', {
            errors: [{ field: 'name', message: 'You have a list of this name.' }],
          }),
          { status: 422 },
        ),
      ),
    );
    show('/dashboard/lists?list=l1');
    await userEvent.type(await screen.findByLabelText('Name of the list'), '!');
    await userEvent.click(screen.getByRole('button', { name: 'Save changes' }));
    await waitFor(() =>
      expect(screen.getByLabelText('Name of the list')).toHaveAccessibleDescription(
        'You have a list of this name.',
      ),
    );
    expect(screen.getByLabelText('Name of the list')).toHaveValue('Monday!');
  });
});

describe('Save as list', () => {
  const lines = [
    { productId: 'p1', quantity: 50 },
    { productId: 'p2', quantity: 60 },
    { productId: 'p1', quantity: 25 },
  ];

  it('keeps each part once, under the name that is typed', async () => {
    const calls = shop([]);
    renderApp(<SaveAsList lines={lines} />, { user: customer });
    await userEvent.click(screen.getByRole('button', { name: 'Save as list' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Save as list' }));
    expect(await dialog.findByText('Keeps 2 parts with their quantities.')).toBeVisible();
    await userEvent.type(dialog.getByLabelText('Name'), 'Monday');
    await userEvent.click(dialog.getByRole('button', { name: 'Save list' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls).toEqual([
      {
        what: 'POST',
        body: {
          name: 'Monday',
          lines: [
            { productId: 'p1', quantity: 75 },
            { productId: 'p2', quantity: 60 },
          ],
        },
      },
    ]);
  });

  it('adds to a list that is there, as it is now', async () => {
    const calls = shop([monday]);
    renderApp(<SaveAsList lines={lines} />, { user: customer });
    await userEvent.click(screen.getByRole('button', { name: 'Save as list' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Add to "Monday"' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls).toEqual([
      {
        what: 'PUT l1',
        body: {
          name: 'Monday',
          lines: [
            { productId: 'p1', quantity: 75 },
            { productId: 'p2', quantity: 60 },
          ],
        },
      },
    ]);
  });

  it('says what went wrong with a list that has gone', async () => {
    shop([monday]);
    renderApp(<SaveAsList lines={lines} />, { user: customer });
    await userEvent.click(screen.getByRole('button', { name: 'Save as list' }));
    const button = await screen.findByRole('button', { name: 'Add to "Monday"' });
    server.use(
      http.get('http://shop.test/lists/:id', () =>
        HttpResponse.json(problem('not-found', 404, 'No such list.'), { status: 404 }),
      ),
    );
    await userEvent.click(button);
    expect(await screen.findByText('No such list.')).toBeVisible();
    expect(screen.getByRole('dialog')).toBeVisible();
  });

  it('is not offered for nothing', () => {
    renderApp(<SaveAsList lines={[]} />, { user: customer });
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('adds to a list the larger quantity of what it has', () => {
    expect(summed([])).toEqual([]);
    expect(withLines(monday, lines)).toEqual([
      { productId: 'p1', quantity: 75 },
      { productId: 'p2', quantity: 60 },
    ]);
    expect(withLines(monday, [{ productId: 'p1', quantity: 5 }])).toEqual([
      { productId: 'p1', quantity: 50 },
    ]);
  });
});
