import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeToken } from '@/api/access-token';
import { problem } from '@/testing/orders';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import AddProductPage from './pages/add-product-page';
import { IMAGE_MAX } from './schema';

const picture = () => new File(['pixels'], 'disc.png', { type: 'image/png' });

/** Takes pictures and products; `images` and `products` are what it answers first. */
function shop({ images = [], products = [] }: { images?: Response[]; products?: Response[] } = {}) {
  const uploads: (string | null)[] = [];
  const added: { body: unknown; key: string | null }[] = [];
  server.use(
    http.post('http://shop.test/images', ({ request }) => {
      uploads.push(request.headers.get('Authorization'));
      return (
        images.shift() ?? HttpResponse.json({ success: true, data: { url: '/images/disc.webp' } })
      );
    }),
    http.post('http://shop.test/products', async ({ request }) => {
      added.push({ body: await request.json(), key: request.headers.get('Idempotency-Key') });
      return products.shift() ?? HttpResponse.json({ insertedId: 'p9' }, { status: 201 });
    }),
  );
  return { uploads, added };
}

const box = (name: string) => screen.getByRole('textbox', { name });
const number = (name: string) => screen.getByRole('spinbutton', { name });
const category = () => screen.getByRole('combobox', { name: 'Category' });
const image = () => screen.getByLabelText('Image');
const send = () => screen.getByRole('button', { name: 'Add Product' });

async function fill(user: ReturnType<typeof userEvent.setup>) {
  const values = [
    [box('Product Name'), ' Brake Disc '],
    [box('Description'), 'Vented.'],
    [number('Available Quantity'), '500'],
    [number('Price per Product'), '12.75'],
  ] as const;
  await user.selectOptions(category(), 'BRAKES');
  for (const [input, value] of values) fireEvent.change(input, { target: { value } });
  await user.upload(image(), picture());
}

describe('Add Product', () => {
  beforeEach(() => {
    storeToken('a.b.c');
    server.use(
      http.get('http://shop.test/brands', () => HttpResponse.json([{ id: 7, name: 'Brembo' }])),
      http.get('http://shop.test/part-types', () =>
        HttpResponse.json([{ id: 3, name: 'Brake disc', category: 'BRAKES' }]),
      ),
    );
  });

  it('keeps what was typed over leaving, and says that the image has to be chosen again', async () => {
    const { added } = shop();
    const user = userEvent.setup();
    const before = renderApp(<AddProductPage />, { user: customer });
    await fill(user);
    before.unmount();

    renderApp(<AddProductPage />, { user: customer });
    expect(screen.getByText(/Choose the image again/)).toBeVisible();
    expect(box('Product Name')).toHaveValue(' Brake Disc ');
    expect(number('Available Quantity')).toHaveValue(500);
    expect(category()).toHaveValue('BRAKES');
    await user.upload(image(), picture());
    await user.click(send());
    expect(await screen.findByText('Product added successfully')).toBeVisible();
    expect(added).toHaveLength(1);
    expect(screen.queryByText(/Choose the image again/)).toBeNull();
    expect(box('Product Name')).toHaveValue('');
    await waitFor(() => expect(sessionStorage).toHaveLength(0));
  });

  it('offers the eight categories', () => {
    renderApp(<AddProductPage />, { user: customer });
    const offered = Array.from(category().querySelectorAll('option'), (option) => option.value);
    expect(offered).toEqual([
      '',
      'BRAKES',
      'REPLACEMENT PARTS',
      'SAFETY ACCESSORIES',
      'TIRES',
      'STEERING WHEEL',
      'SERVICE KITS',
      'BATTERIES',
      'OILS AND FLUIDS',
    ]);
  });

  it('uploads the image with the bearer, adds the product with its address, and resets', async () => {
    const { uploads, added } = shop();
    const user = userEvent.setup();
    renderApp(<AddProductPage />, { user: customer });
    await fill(user);
    expect(await screen.findByRole('img', { name: 'Preview of disc.png' })).toBeVisible();
    expect((image() as HTMLInputElement).files).toHaveLength(1);
    await user.click(send());
    expect(await screen.findByRole('alert')).toHaveTextContent('Product added successfully');
    expect(uploads).toEqual(['Bearer a.b.c']);
    expect(added.map(({ body }) => body)).toEqual([
      {
        category: 'BRAKES',
        name: 'Brake Disc',
        description: 'Vented.',
        availableQty: 500,
        minOrder: 50,
        price: 12.75,
        img: '/images/disc.webp',
      },
    ]);
    expect(box('Product Name')).toHaveValue('');
    expect(number('Price per Product')).toHaveValue(null);
    expect((image() as HTMLInputElement).files).toHaveLength(0);
    expect(screen.queryByRole('img', { name: /Preview/ })).not.toBeInTheDocument();
  });

  it('says that a minimum below 50 is saved as 50', async () => {
    const user = userEvent.setup();
    renderApp(<AddProductPage />, { user: customer });
    const minimum = number('Minimum Order');
    expect(minimum).toHaveAccessibleDescription('Anything below 50 is saved as 50');
    await user.clear(minimum);
    await user.type(minimum, '10');
    expect(minimum).toHaveAccessibleDescription('10 will be saved as 50, our lowest minimum order');
    await user.clear(minimum);
    await user.type(minimum, '60');
    expect(minimum).toHaveAccessibleDescription('Anything below 50 is saved as 50');
  });

  it('sends the part number where there is one', async () => {
    const { added } = shop();
    const user = userEvent.setup();
    renderApp(<AddProductPage />, { user: customer });
    await fill(user);
    await user.type(box('Part number'), ' DL-BD-3120 ');
    await user.click(send());
    expect(await screen.findByText('Product added successfully')).toBeVisible();
    expect(added[0]?.body).toMatchObject({ partNumber: 'DL-BD-3120' });
  });

  it('shows how far the upload is, and takes no second click meanwhile', async () => {
    shop();
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    server.use(
      http.post('http://shop.test/images', async () => {
        await held;
        return HttpResponse.json({ success: true, data: { url: '/images/disc.webp' } });
      }),
    );
    const user = userEvent.setup();
    renderApp(<AddProductPage />, { user: customer });
    await fill(user);
    await user.click(send());
    expect(await screen.findByRole('progressbar', { name: 'Uploading the image' })).toBeVisible();
    expect(send()).toBeDisabled();
    release();
    expect(await screen.findByText('Product added successfully')).toBeVisible();
    expect(screen.queryByRole('progressbar')).not.toBeInTheDocument();
  });

  it('has a message of its own on each field, sends nothing, and begins at the first', async () => {
    const { uploads, added } = shop();
    const user = userEvent.setup();
    renderApp(<AddProductPage />, { user: customer });
    await user.clear(number('Minimum Order'));
    await user.click(send());
    await waitFor(() => expect(image()).toHaveAccessibleDescription(/Image is required/));
    expect(category()).toHaveAccessibleDescription(/Category is required/);
    expect(box('Product Name')).toHaveAccessibleDescription(/Product name is required/);
    expect(box('Description')).toHaveAccessibleDescription(/Description is required/);
    expect(number('Available Quantity')).toHaveAccessibleDescription(
      /Available quantity is required/,
    );
    expect(number('Minimum Order')).toHaveAccessibleDescription(/Minimum order is required/);
    expect(number('Price per Product')).toHaveAccessibleDescription(/Price is required/);
    expect(box('Part number')).not.toHaveAccessibleDescription(/required/);
    expect(screen.getAllByText(/is required$/)).toHaveLength(7);
    await waitFor(() => expect(category()).toHaveFocus());
    expect([uploads, added]).toEqual([[], []]);
  });

  it.each([
    ['a text file', new File(['x'], 'a.txt', { type: 'text/plain' }), /PNG, JPEG or WebP file/],
    [
      'more than 5 MB',
      new File([new Uint8Array(IMAGE_MAX + 1)], 'a.png', { type: 'image/png' }),
      /5 MB or less/,
    ],
  ])('refuses %s before it is sent', async (_what, file, message) => {
    const { uploads } = shop();
    const user = userEvent.setup({ applyAccept: false });
    renderApp(<AddProductPage />, { user: customer });
    await fill(user);
    await user.upload(image(), file);
    await waitFor(() => expect(image()).toHaveAccessibleDescription(message));
    expect(screen.getByText('No preview')).toBeVisible();
    await user.click(send());
    await waitFor(() => expect(image()).toHaveFocus());
    expect(uploads).toEqual([]);
  });

  it('adds no product when the upload fails, says why, and tries again', async () => {
    const refusal = problem('unsupported-media-type', 415, 'This is not a picture.');
    const { uploads, added } = shop({ images: [HttpResponse.json(refusal, { status: 415 })] });
    const user = userEvent.setup();
    renderApp(<AddProductPage />, { user: customer });
    await fill(user);
    await user.click(send());
    expect(await screen.findByRole('alert')).toHaveTextContent("The product wasn't added.");
    expect(image()).toHaveAccessibleDescription(/This is not a picture\./);
    await waitFor(() => expect(image()).toHaveFocus());
    expect(added).toEqual([]);
    expect(box('Product Name')).toHaveValue(' Brake Disc ');
    await user.upload(image(), picture());
    await user.click(send());
    expect(await screen.findByText('Product added successfully')).toBeVisible();
    expect(uploads).toHaveLength(2);
  });

  it.each([
    ['image-host-key', 502, "The image host does not accept the shop's key; whoever runs the shop"],
    ['image-host-limit', 503, 'The image host takes no more pictures at the moment'],
    ['unavailable', 503, 'The picture cannot be stored right now, please try again in a moment'],
    ['bad-gateway', 502, 'The image host gave an answer that we do not trust'],
  ])(
    'passes on what the image host says (%s), and keeps everything',
    async (slug, status, says) => {
      const refusal = problem(slug, status, says);
      const { uploads, added } = shop({ images: [HttpResponse.json(refusal, { status })] });
      const user = userEvent.setup();
      renderApp(<AddProductPage />, { user: customer });
      await fill(user);
      await user.click(send());
      const alert = await screen.findByRole('alert');
      expect(alert).toHaveTextContent(says);
      expect(alert).toHaveTextContent("The product wasn't added. Your entries have been kept.");
      expect(image()).not.toHaveAccessibleDescription(says);
      expect(added).toEqual([]);
      expect(category()).toHaveValue('BRAKES');
      expect(box('Product Name')).toHaveValue(' Brake Disc ');
      expect(box('Description')).toHaveValue('Vented.');
      expect(number('Available Quantity')).toHaveValue(500);
      expect(number('Price per Product')).toHaveValue(12.75);
      expect((image() as HTMLInputElement).files).toHaveLength(1);
      await user.click(send());
      expect(await screen.findByText('Product added successfully')).toBeVisible();
      expect(uploads).toHaveLength(2);
    },
  );

  it('shows at the image that the image host does not take it', async () => {
    const message = 'The image host does not take this picture, please choose another one';
    const refusal = problem('validation', 422, message, { errors: [{ field: 'image', message }] });
    const { added } = shop({ images: [HttpResponse.json(refusal, { status: 422 })] });
    const user = userEvent.setup();
    renderApp(<AddProductPage />, { user: customer });
    await fill(user);
    await user.click(send());
    await waitFor(() => expect(image()).toHaveAccessibleDescription(new RegExp(message)));
    expect(box('Product Name')).toHaveValue(' Brake Disc ');
    expect(added).toEqual([]);
  });

  it('says it when the network is away', async () => {
    const { added } = shop({ images: [HttpResponse.error()] });
    const user = userEvent.setup();
    renderApp(<AddProductPage />, { user: customer });
    await fill(user);
    await user.click(send());
    expect(await screen.findByRole('alert')).toHaveTextContent("We can't reach the store");
    expect(added).toEqual([]);
  });

  it('does not upload twice when only the product was refused', async () => {
    const away = problem('unavailable', 503, 'The shop is catching up.');
    const errors = [{ field: 'price', message: 'Price is too large' }];
    const refusal = problem('validation', 422, 'Please check', { errors });
    const { uploads, added } = shop({
      products: [
        HttpResponse.json(away, { status: 503 }),
        HttpResponse.json(refusal, { status: 422 }),
      ],
    });
    const user = userEvent.setup();
    renderApp(<AddProductPage />, { user: customer });
    await fill(user);
    await user.click(send());
    expect(await screen.findByRole('alert')).toHaveTextContent('The shop is catching up.');
    await user.click(send());
    await waitFor(() =>
      expect(number('Price per Product')).toHaveAccessibleDescription(/Price is too large/),
    );
    await user.click(send());
    expect(await screen.findByText('Product added successfully')).toBeVisible();
    expect(uploads).toHaveLength(1);
    const [first, second, third] = added.map(({ key }) => key);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('renews a token that has run out and uploads with the new one', async () => {
    const expired = problem('unauthenticated', 401, 'Please sign in');
    const { uploads } = shop({ images: [HttpResponse.json(expired, { status: 401 })] });
    server.use(
      http.put('http://shop.test/user/:email', () => HttpResponse.json({ token: 'd.e.f' })),
    );
    const user = userEvent.setup();
    renderApp(<AddProductPage />, { user: customer });
    await fill(user);
    await user.click(send());
    expect(await screen.findByText('Product added successfully')).toBeVisible();
    expect(uploads).toEqual(['Bearer a.b.c', 'Bearer d.e.f']);
  });

  it('ends the session when the shop refuses to renew it', async () => {
    const expired = problem('unauthenticated', 401, 'Please sign in');
    const { added } = shop({ images: [HttpResponse.json(expired, { status: 401 })] });
    server.use(
      http.put('http://shop.test/user/:email', () => HttpResponse.json(expired, { status: 401 })),
    );
    const user = userEvent.setup();
    const { store } = renderApp(<AddProductPage />, { user: customer });
    await fill(user);
    await user.click(send());
    await waitFor(() => expect(store.getState().session.phase).toBe('out'));
    expect(added).toEqual([]);
  });

  it('sends what buyers find the part by, as far as it was filled in', async () => {
    const { added } = shop();
    const user = userEvent.setup();
    renderApp(<AddProductPage />, { user: customer });
    await fill(user);
    fireEvent.change(screen.getByRole('combobox', { name: 'Brand' }), {
      target: { value: 'Brembo' },
    });
    await screen.findByRole('option', { name: 'Brake disc' });
    await user.selectOptions(screen.getByRole('combobox', { name: 'Type of part' }), 'Brake disc');
    fireEvent.change(number('Weight (g)'), { target: { value: '7400' } });
    await user.click(send());
    await screen.findByText('Product added successfully');
    expect(added[0]?.body).toMatchObject({ brand: 'Brembo', partType: 'Brake disc', weight: 7400 });
    expect(Object.keys(added[0]?.body as object)).not.toContain('universal');
    expect(screen.getByRole('combobox', { name: 'Brand' })).toHaveValue('');
  });
});
