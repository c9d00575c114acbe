import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeToken } from '@/api/access-token';
import { aProduct, problem } from '@/testing/orders';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import { takeNotices } from '@/ui/notify';
import { PicturesForm } from './components/pictures-form';
import { IMAGE_MAX } from './schema';

const file = (name: string, size = 6) => {
  const made = new File(['pixels'], name, { type: 'image/png' });
  Object.defineProperty(made, 'size', { value: size });
  return made;
};

/** Takes uploads, under these addresses, and the list of pictures. */
function shop(uploaded: string[] = []) {
  const saved: unknown[] = [];
  const answers: Response[] = [];
  server.use(
    http.post('http://shop.test/images', () =>
      HttpResponse.json({ success: true, data: { url: uploaded.shift() } }),
    ),
    http.put('http://shop.test/products/:id/images', async ({ request }) => {
      saved.push(await request.json());
      return answers.shift() ?? HttpResponse.json({ modifiedCount: 1 });
    }),
  );
  return { saved, answers };
}

function show(images?: string[]) {
  const product = aProduct({ img: images?.[0] ?? '/a.webp', ...(images ? { images } : {}) });
  renderApp(<PicturesForm product={product} onSaved={() => {}} />, { user: customer });
  return userEvent.setup();
}

const shown = () =>
  within(screen.getByRole('list', { name: 'Pictures in their order' }))
    .getAllByRole('img')
    .map((img) => img.getAttribute('src'));
const button = (name: string) => screen.getByRole('button', { name });
const input = () => screen.getByLabelText('Add a picture');

beforeEach(() => storeToken('token'));

describe("a product's pictures", () => {
  it('begin with the one of lists, and further ones are uploaded and saved behind it', async () => {
    const { saved } = shop(['/b.webp', '/c.webp']);
    const user = show();
    expect(shown()).toEqual(['/a.webp']);
    expect(screen.queryByRole('button', { name: /^Remove/ })).not.toBeInTheDocument();
    await user.upload(input(), file('b.png'));
    await waitFor(() => expect(shown()).toEqual(['/a.webp', '/b.webp']));
    await user.upload(input(), file('c.png'));
    await waitFor(() => expect(shown()).toHaveLength(3));
    await user.click(button('Save pictures'));
    await waitFor(() => expect(saved).toEqual([{ images: ['/a.webp', '/b.webp', '/c.webp'] }]));
    await waitFor(() =>
      expect(takeNotices()).toEqual([{ tone: 'success', text: 'Pictures saved' }]),
    );
  });

  it('are moved by buttons, which keep the focus to the end', async () => {
    const { saved } = shop();
    const user = show(['/a.webp', '/b.webp', '/c.webp']);
    await user.click(button('Move right Picture 1'));
    expect(shown()).toEqual(['/b.webp', '/a.webp', '/c.webp']);
    expect(screen.getByRole('status')).toHaveTextContent('Moved to place 2 of 3');
    expect(button('Move right Picture 2')).toHaveFocus();
    await user.keyboard('{Enter}{Enter}');
    expect(shown()).toEqual(['/b.webp', '/c.webp', '/a.webp']);
    expect(button('Move right Picture 3')).toHaveFocus();
    expect(button('Move right Picture 3')).toHaveAttribute('aria-disabled', 'true');
    await user.click(button('Move left Picture 2'));
    await user.click(button('Save pictures'));
    await waitFor(() => expect(saved).toEqual([{ images: ['/c.webp', '/b.webp', '/a.webp'] }]));
  });

  it('are removed down to the last one', async () => {
    shop();
    const user = show(['/a.webp', '/b.webp']);
    await user.click(button('Remove Picture 1'));
    expect(shown()).toEqual(['/b.webp']);
    expect(input()).toHaveFocus();
    expect(screen.getByRole('status')).toHaveTextContent('Removed. 1 picture left.');
    expect(screen.queryByRole('button', { name: /^Remove/ })).not.toBeInTheDocument();
  });

  it('are at most twelve', () => {
    shop();
    show(Array.from({ length: 12 }, (_each, place) => `/${place}.webp`));
    expect(input()).toBeDisabled();
    expect(screen.getByText(/You've reached the limit of 12/)).toBeVisible();
  });

  it('are neither there twice nor too large, and a refusal says why', async () => {
    const { answers, saved } = shop(['/a.webp']);
    const user = show();
    await user.upload(input(), file('a.png'));
    expect(await screen.findByText('This picture is there already')).toBeVisible();
    await user.upload(input(), file('b.png', IMAGE_MAX + 1));
    expect(await screen.findByText('Choose an image of 5 MB or less')).toBeVisible();
    expect(shown()).toEqual(['/a.webp']);
    answers.push(HttpResponse.json(problem('not-found', 404, 'It is gone.'), { status: 404 }));
    await user.click(button('Save pictures'));
    expect(await screen.findByText('It is gone.')).toBeVisible();
    expect(saved).toHaveLength(1);
  });
});
