import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeToken } from '@/api/access-token';
import type { Brand } from '@/api/parts';
import { problem } from '@/testing/orders';
import { address, customer, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import CatalogPage from './pages/catalog-page';

let sent: string[] = [];

/** A list that the shop keeps, and what is sent to it. */
function shop(path: string, rows: object[]) {
  const note = async ({ request }: { request: Request }) => {
    const body = await request.text();
    sent.push(
      `${request.method} ${decodeURIComponent(new URL(request.url).pathname)} ${body}`.trim(),
    );
    return HttpResponse.json({});
  };
  server.use(
    http.get(`*/${path}`, () => HttpResponse.json(rows)),
    http.post(`*/${path}`, note),
    http.put(`*/${path}/*`, note),
    http.delete(`*/${path}/*`, note),
  );
}

function open(list = '') {
  renderScreens(
    { '/dashboard/catalog': <CatalogPage /> },
    { user: customer, at: `/dashboard/catalog${list}` },
  );
  return userEvent.setup();
}

const brands: Brand[] = [
  { id: 7, name: 'Brembo' },
  { id: 9, name: 'Bosch' },
];

const rowOf = async (name: string) =>
  within(await screen.findByRole('row', { name: new RegExp(name) }));

describe('the catalog', () => {
  beforeEach(() => {
    storeToken('a.b.c');
    sent = [];
  });

  it('adds, renames and deletes brands', async () => {
    shop('brands', brands);
    const user = open();
    const row = await rowOf('Brembo');
    await user.type(screen.getByRole('textbox', { name: 'Brand' }), ' ATE ');
    await user.click(screen.getByRole('button', { name: 'Add a brand' }));
    await waitFor(() => expect(sent).toEqual(['POST /brands {"name":"ATE"}']));
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Brand' })).toHaveValue(''));

    await user.click(row.getByRole('button', { name: /^Change/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Rename brand' }));
    await user.type(dialog.getByRole('textbox', { name: 'Brand' }), ' Racing');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(sent.at(-1)).toBe('PUT /brands/7 {"name":"Brembo Racing"}'));
    expect(screen.queryByRole('dialog')).toBeNull();

    await user.click(row.getByRole('button', { name: /^Delete/ }));
    const question = within(await screen.findByRole('alertdialog'));
    expect(question.getByText('Delete the brand Brembo?')).toBeVisible();
    await user.click(question.getByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(sent.at(-1)).toBe('DELETE /brands/7'));
  });

  it('keeps what may not be deleted, and says why', async () => {
    shop('brands', brands);
    server.use(
      http.delete('*/brands/7', () =>
        HttpResponse.json(problem('in-use', 409, 'Brembo has 7 parts.'), { status: 409 }),
      ),
    );
    const user = open();
    await user.click((await rowOf('Brembo')).getByRole('button', { name: /^Delete/ }));
    const question = within(await screen.findByRole('alertdialog'));
    await user.click(question.getByRole('button', { name: 'Yes' }));
    expect(await question.findByRole('alert')).toHaveTextContent('Brembo has 7 parts.');
  });

  it('says at its field that a name is missing or taken', async () => {
    shop('brands', brands);
    const message = 'There is a brand of this name.';
    server.use(
      http.post('*/brands', () =>
        HttpResponse.json(
          problem('validation', 422, message, { errors: [{ field: 'name', message }] }),
          { status: 422 },
        ),
      ),
    );
    const user = open();
    const name = await screen.findByRole('textbox', { name: 'Brand' });
    await user.click(screen.getByRole('button', { name: 'Add a brand' }));
    await waitFor(() => expect(name).toHaveAccessibleDescription('Brand is required'));
    await user.type(name, 'Bosch');
    await user.click(screen.getByRole('button', { name: 'Add a brand' }));
    await waitFor(() => expect(name).toHaveAccessibleDescription(message));
    expect(name).toHaveValue('Bosch');
  });

  it('filters a list by a few letters', async () => {
    shop('brands', brands);
    const user = open();
    await rowOf('Brembo');
    await user.type(screen.getByRole('searchbox', { name: 'Filter the list' }), 'bos');
    expect(screen.queryByText('Brembo')).toBeNull();
    await user.type(screen.getByRole('searchbox', { name: 'Filter the list' }), 'x');
    expect(screen.getByText('Nothing in this list matches.')).toBeVisible();
  });

  it('keeps part types with their category', async () => {
    shop('brands', brands);
    shop('part-types', [{ id: 3, name: 'Brake disc', category: 'BRAKES' }]);
    const user = open();
    await user.click(await screen.findByRole('button', { name: 'Part types' }));
    expect(address()).toBe('/dashboard/catalog?list=partTypes');
    await rowOf('Brake disc.*Brake Parts');
    await user.type(screen.getByRole('textbox', { name: 'Part type' }), 'Wheel bolt');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Category' }), 'Tires');
    await user.click(screen.getByRole('button', { name: 'Add a part type' }));
    await waitFor(() =>
      expect(sent).toEqual(['POST /part-types {"name":"Wheel bolt","category":"TIRES"}']),
    );
  });

  it('keeps synonyms', async () => {
    shop('synonyms', [{ id: 4, word: 'rotor', means: 'brake disc' }]);
    const user = open('?list=synonyms');
    await user.click((await rowOf('rotor')).getByRole('button', { name: /^Change/ }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change synonym' }));
    await user.type(dialog.getByRole('textbox', { name: 'We call it' }), 's');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(sent).toEqual(['PUT /synonyms/4 {"word":"rotor","means":"brake discs"}']),
    );
    await user.click((await rowOf('rotor')).getByRole('button', { name: /^Delete/ }));
    await user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Yes' }),
    );
    await waitFor(() => expect(sent.at(-1)).toBe('DELETE /synonyms/4'));
  });

  it('says that a list is empty, or did not come', async () => {
    shop('brands', []);
    open();
    expect(await screen.findByText('No brands yet')).toBeVisible();
  });

  it('asks again for a list that did not come', async () => {
    let broken = true;
    server.use(
      http.get('*/brands', () =>
        broken ? new HttpResponse(null, { status: 500 }) : HttpResponse.json(brands),
      ),
    );
    const user = open();
    expect(await screen.findByRole('alert')).toHaveTextContent("We couldn't load the brands");
    broken = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    await rowOf('Brembo');
  });
});
