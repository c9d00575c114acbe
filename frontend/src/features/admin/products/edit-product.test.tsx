import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeToken } from '@/api/access-token';
import type { Product } from '@/api/types';
import { aProduct, problem } from '@/testing/orders';
import { address, customer, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import { takeNotices } from '@/ui/notify';
import EditProductPage from './pages/edit-product-page';

const part = aProduct({ _id: 'p1', name: 'Brake Disc', price: 12.5 });

/** Answers as the shop does; `answers` are what it gives first. */
function shop({ answers = [] }: { answers?: (() => Response)[] } = {}) {
  let now: Product = part;
  const edits: unknown[] = [];
  server.use(
    http.get('http://shop.test/brands', () => HttpResponse.json([{ id: 7, name: 'Brembo' }])),
    http.get('http://shop.test/part-types', () =>
      HttpResponse.json([{ id: 3, name: 'Brake disc', category: 'BRAKES' }]),
    ),
    http.get('http://shop.test/products/p1/numbers', () => HttpResponse.json([])),
    http.get('http://shop.test/products/p1/fitments', () => HttpResponse.json([])),
    http.get('http://shop.test/vehicles/years', () => HttpResponse.json([])),
    http.get('http://shop.test/products/p1', () => HttpResponse.json(now)),
    http.patch('http://shop.test/products/p1', async ({ request }) => {
      edits.push(await request.json());
      return answers.shift()?.() ?? HttpResponse.json({ modifiedCount: 1 });
    }),
    http.post('http://shop.test/images', () =>
      HttpResponse.json({ success: true, data: { url: '/images/new.webp' } }),
    ),
  );
  return {
    edits,
    /** Somebody else saves. */
    change: (facts: Partial<Product>) => {
      now = { ...now, ...facts };
    },
  };
}

const stale = () =>
  HttpResponse.json(problem('product-changed', 409, 'Someone else changed it.'), { status: 409 });

const box = (name: string) => screen.getByRole('textbox', { name });
const number = (name: string) => screen.getByRole('spinbutton', { name });
const save = () => screen.getByRole('button', { name: 'Save changes' });
const type = (input: HTMLElement, value: string) => fireEvent.change(input, { target: { value } });

async function show() {
  renderScreens(
    { '/dashboard/manage/:productId': <EditProductPage /> },
    { user: customer, at: '/dashboard/manage/p1' },
  );
  await screen.findByRole('textbox', { name: 'Product Name' });
  return userEvent.setup();
}

describe('Edit Product', () => {
  beforeEach(() => storeToken('a.b.c'));

  it('shows the first picture that was saved beside it, and does not disagree with it', async () => {
    const { edits, change } = shop();
    change({ img: '/a.webp', images: ['/a.webp', '/b.webp'] });
    server.use(
      http.put('http://shop.test/products/p1/images', () =>
        HttpResponse.json({ modifiedCount: 1 }),
      ),
    );
    const user = await show();
    await user.click(screen.getAllByRole('button', { name: /^Remove/ })[0] as HTMLElement);
    await user.click(screen.getByRole('button', { name: 'Save pictures' }));
    await waitFor(() =>
      expect(screen.getByRole('img', { name: 'Current image' })).toHaveAttribute('src', '/b.webp'),
    );
    const file = new File(['pixels'], 'new.png', { type: 'image/png' });
    await user.upload(screen.getByLabelText('Image'), file);
    await user.click(save());
    await waitFor(() =>
      expect(edits).toEqual([{ img: '/images/new.webp', seen: { img: '/b.webp' } }]),
    );
  });

  it('begins with the product, and Cancel leads back without a call', async () => {
    const { edits } = shop();
    const user = await show();
    expect(box('Product Name')).toHaveValue('Brake Disc');
    expect(box('Description')).toHaveValue(part.description);
    expect(box('Part number')).toHaveValue('DL-1000');
    expect(number('Minimum Order')).toHaveValue(50);
    expect(number('Price per Product')).toHaveValue(12.5);
    expect(screen.getByRole('combobox', { name: 'Category' })).toHaveValue('BRAKES');
    expect(screen.getByRole('img', { name: 'Current image' })).toBeVisible();
    expect(screen.queryByRole('spinbutton', { name: 'Available Quantity' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(address()).toBe('/dashboard/manage');
    expect(edits).toEqual([]);
  });

  it('sends what was changed, beside what it was, and goes back to the list', async () => {
    const { edits } = shop();
    const user = await show();
    type(box('Product Name'), ' Brake Disc, vented ');
    type(box('Part number'), '');
    type(number('Price per Product'), '13');
    await user.click(save());
    await waitFor(() => expect(address()).toBe('/dashboard/manage'));
    expect(edits).toEqual([
      {
        name: 'Brake Disc, vented',
        partNumber: null,
        price: 13,
        seen: { name: 'Brake Disc', partNumber: 'DL-1000', price: 12.5 },
      },
    ]);
    expect(takeNotices()).toEqual([{ tone: 'success', text: 'Product saved' }]);
  });

  it('replaces the picture by another one', async () => {
    const { edits } = shop();
    const user = await show();
    const image = new File(['pixels'], 'disc.png', { type: 'image/png' });
    await user.upload(screen.getByLabelText('Image'), image);
    expect(await screen.findByRole('img', { name: 'Preview of disc.png' })).toBeVisible();
    await user.click(save());
    await waitFor(() => expect(address()).toBe('/dashboard/manage'));
    expect(edits).toEqual([{ img: '/images/new.webp', seen: { img: part.img } }]);
  });

  it('sends nothing when nothing was changed', async () => {
    const { edits } = shop();
    const user = await show();
    await user.click(save());
    await waitFor(() => expect(address()).toBe('/dashboard/manage'));
    expect(edits).toEqual([]);
  });

  it('has its messages beside the fields: its own and those of the shop', async () => {
    const message = 'Price is too large';
    const refusal = problem('validation', 422, message, { errors: [{ field: 'price', message }] });
    const { edits } = shop({ answers: [() => HttpResponse.json(refusal, { status: 422 })] });
    const user = await show();
    type(box('Product Name'), ' ');
    type(box('Part number'), 'n'.repeat(61));
    await user.click(save());
    await waitFor(() =>
      expect(box('Product Name')).toHaveAccessibleDescription(/Product name is required/),
    );
    expect(box('Part number')).toHaveAccessibleDescription(/at most 60 characters/);
    expect(edits).toEqual([]);
    type(box('Product Name'), 'Brake Disc');
    type(box('Part number'), 'DL-1000');
    type(number('Price per Product'), '99');
    await user.click(save());
    await waitFor(() =>
      expect(number('Price per Product')).toHaveAccessibleDescription(/Price is too large/),
    );
    expect(address()).toBe('/dashboard/manage/p1');
  });

  it('shows what somebody else changed, keeps what was typed, and saves over it when asked again', async () => {
    const { edits, change } = shop({ answers: [stale] });
    const user = await show();
    type(box('Product Name'), 'Mine');
    change({ name: 'Theirs', price: 20, availableQty: 1 });
    await user.click(save());
    const alert = await screen.findByRole('alert');
    expect(alert).toHaveTextContent('Product name is now Theirs');
    expect(alert).toHaveTextContent('Price is now $20.00');
    expect(box('Product Name')).toHaveValue('Mine');
    await waitFor(() => expect(number('Price per Product')).toHaveValue(20));
    await user.click(save());
    await waitFor(() => expect(address()).toBe('/dashboard/manage'));
    expect(edits).toEqual([
      { name: 'Mine', seen: { name: 'Brake Disc' } },
      { name: 'Mine', seen: { name: 'Theirs' } },
    ]);
  });

  it('says that a product is not in the shop, and leads to the list', async () => {
    server.use(
      http.get('http://shop.test/products/p1', () =>
        HttpResponse.json(problem('not-found', 404, 'Not found'), { status: 404 }),
      ),
    );
    renderScreens(
      { '/dashboard/manage/:productId': <EditProductPage /> },
      { user: customer, at: '/dashboard/manage/p1' },
    );
    expect(
      await screen.findByRole('heading', { name: "This product isn't in the shop" }),
    ).toBeVisible();
    expect(screen.getByRole('link', { name: 'Manage Products' })).toHaveAttribute(
      'href',
      '/dashboard/manage',
    );
  });
});
