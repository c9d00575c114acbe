import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { problem } from '@/testing/orders';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import { branch, countries, depot } from './fixture';
import AddressBookPage from './pages/address-book-page';
import type { BookAddress, NewBookAddress } from './wire';

/** A shop with these addresses, which it keeps as it is asked to; and what it was asked. */
function shop(entries: BookAddress[]) {
  const calls: { what: string; body?: unknown }[] = [];
  let kept = entries;
  const add = (what: string, body?: unknown) => calls.push({ what, body });
  server.use(
    http.get('http://shop.test/countries', () => HttpResponse.json(countries)),
    http.get('http://shop.test/addresses', () => HttpResponse.json(kept)),
    http.post('http://shop.test/addresses', async ({ request }) => {
      const body = (await request.json()) as NewBookAddress;
      add('POST', body);
      kept = [...kept, { isDefault: false, ...body, _id: `a${kept.length}` }];
      return HttpResponse.json({ insertedId: 'new' }, { status: 201 });
    }),
    http.put('http://shop.test/addresses/:id', async ({ params, request }) => {
      const body = (await request.json()) as NewBookAddress;
      add(`PUT ${params.id}`, body);
      kept = kept.map((each) =>
        each._id === params.id
          ? { ...each, ...body, isDefault: body.isDefault ?? false }
          : { ...each, isDefault: each.isDefault && !body.isDefault },
      );
      return HttpResponse.json({ modifiedCount: 1 });
    }),
    http.delete('http://shop.test/addresses/:id', ({ params }) => {
      add(`DELETE ${params.id}`);
      kept = kept.filter(({ _id }) => _id !== params.id);
      return HttpResponse.json({ deletedCount: 1 });
    }),
  );
  return calls;
}

const show = () => renderApp(<AddressBookPage />, { user: customer });
const items = async () =>
  within(await screen.findByRole('list', { name: 'Your addresses' })).getAllByRole('listitem');

describe('the address book', () => {
  it('shows each address as on an envelope, the default first', async () => {
    shop([branch, depot]);
    show();
    const [first, second] = await items();
    expect(first).toHaveTextContent(/Casey LaneDefault.*Toledo OH 43604.*United States.*555 0100/);
    expect(second).toHaveTextContent(/Robin Weiss.*34117 Kassel.*Germany/);
    expect(
      within(first as HTMLElement).queryByRole('button', { name: /^Make default/ }),
    ).toBeNull();
  });

  it('says what to do while it is empty, and keeps the first as the default', async () => {
    const calls = shop([]);
    show();
    expect(await screen.findByRole('heading', { name: 'No addresses yet' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Add an address' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Add an address' }));
    expect(await dialog.findByLabelText('Name')).toHaveValue(customer.displayName);
    expect(dialog.getByRole('checkbox')).toBeChecked();
    await userEvent.selectOptions(dialog.getByLabelText('Country'), 'Germany');
    await userEvent.type(dialog.getByLabelText('Address'), 'Werkstrasse 3');
    await userEvent.type(dialog.getByLabelText('Postcode'), '34117');
    await userEvent.type(dialog.getByLabelText('City'), 'Kassel');
    await userEvent.click(dialog.getByRole('button', { name: 'Save address' }));
    expect(await items()).toHaveLength(1);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(calls).toEqual([
      {
        what: 'POST',
        body: {
          name: customer.displayName,
          line1: 'Werkstrasse 3',
          city: 'Kassel',
          postcode: '34117',
          country: 'DE',
          isDefault: true,
        },
      },
    ]);
  });

  it("puts the shop's own sentence at its field and keeps what was typed", async () => {
    shop([depot]);
    server.use(
      http.put('http://shop.test/addresses/:id', () =>
        HttpResponse.json(
          problem('validation', 422, 'Check the form.', {
            errors: [{ field: 'postcode', message: 'A ZIP code has five digits.' }],
          }),
          { status: 422 },
        ),
      ),
    );
    show();
    await userEvent.click(await screen.findByRole('button', { name: /^Edit/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Edit address' }));
    await userEvent.clear(await dialog.findByLabelText('ZIP code'));
    await userEvent.type(dialog.getByLabelText('ZIP code'), '4');
    await userEvent.click(dialog.getByRole('button', { name: 'Save address' }));
    await waitFor(() =>
      expect(dialog.getByLabelText('ZIP code')).toHaveAccessibleDescription(
        'A ZIP code has five digits.',
      ),
    );
    expect(dialog.getByLabelText('ZIP code')).toHaveValue('4');
    expect(dialog.getByLabelText('ZIP code')).toHaveFocus();
  });

  it('makes another one the default', async () => {
    const calls = shop([depot, branch]);
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Make default Robin Weiss' }));
    await waitFor(async () => expect((await items())[0]).toHaveTextContent('Robin Weiss'));
    const { _id, ...rest } = branch;
    expect(calls).toEqual([{ what: `PUT ${_id}`, body: { ...rest, isDefault: true } }]);
  });

  it('removes one after a question', async () => {
    const calls = shop([depot, branch]);
    show();
    await userEvent.click(
      await screen.findByRole('button', { name: /^Remove\s*Robin Weiss, Werkstrasse 3/ }),
    );
    expect(screen.getByText('Orders you placed keep their address.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Yes' }));
    await waitFor(async () => expect(await items()).toHaveLength(1));
    expect(calls).toEqual([{ what: `DELETE ${branch._id}`, body: undefined }]);
  });

  it('says that it failed, and asks again', async () => {
    shop([depot]);
    let fails = true;
    server.use(
      http.get('http://shop.test/addresses', () =>
        fails
          ? HttpResponse.json(problem('internal', 500, 'The shop stumbled.'), { status: 500 })
          : HttpResponse.json([depot]),
      ),
    );
    show();
    expect(await screen.findByText("We couldn't load your addresses")).toBeVisible();
    fails = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await items()).toHaveLength(1);
  });
});
