import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { anOrder, disc, paidWith, problem } from '@/testing/orders';
import { customer, renderApp, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import { ToastHost } from '@/ui/toast-host';
import AddReviewPage from './pages/add-review-page';

interface Sent {
  body: unknown;
  key: string | null;
}

/** Returns whether the caller is an admin, and that they have ordered nothing. */
function role(admin: boolean) {
  server.use(
    http.get('http://shop.test/admin/:email', () => HttpResponse.json({ admin })),
    http.get('http://shop.test/orders', () => HttpResponse.json([])),
  );
}

/** Takes reviews; while `refusals` last, answers with those instead. */
function desk(...refusals: { status: number; body: object }[]): Sent[] {
  const sent: Sent[] = [];
  role(false);
  server.use(
    http.post('http://shop.test/reviews', async ({ request }) => {
      sent.push({ body: await request.json(), key: request.headers.get('Idempotency-Key') });
      const refusal = refusals.shift();
      return refusal
        ? HttpResponse.json(refusal.body, { status: refusal.status })
        : HttpResponse.json({ insertedId: 'r1' }, { status: 201 });
    }),
  );
  return sent;
}

const nameBox = () => screen.getByRole('textbox', { name: 'Name' });
const detailsBox = () => screen.getByRole('textbox', { name: 'Review Details' });
const send = () => screen.getByRole('button', { name: 'Add Review' });

async function fill(user: ReturnType<typeof userEvent.setup>) {
  await user.clear(nameBox());
  await user.type(nameBox(), '  Casey Lane ');
  await user.click(screen.getByRole('radio', { name: '4 stars' }));
  await user.type(detailsBox(), 'Discs ran true.');
}

describe('Add Review', () => {
  it('sends the review, says so and clears the form', async () => {
    const sent = desk();
    const user = userEvent.setup();
    renderApp(<AddReviewPage />, { user: customer });
    await fill(user);
    await user.click(send());
    expect(await screen.findByRole('alert')).toHaveTextContent('Review Added Successfully...!');
    expect(sent[0]?.body).toEqual({ name: 'Casey Lane', rating: 4, details: 'Discs ran true.' });
    expect(nameBox()).toHaveValue('');
    expect(detailsBox()).toHaveValue('');
    for (const radio of screen.getAllByRole('radio')) expect(radio).not.toBeChecked();
  });

  it("begins with the account's name, also after one was sent and the form cleared", async () => {
    desk();
    const user = userEvent.setup();
    const { unmount } = renderApp(<AddReviewPage />, { user: customer });
    expect(nameBox()).toHaveValue(customer.displayName);
    await fill(user);
    await user.click(send());
    await waitFor(() => expect(nameBox()).toHaveValue(''));
    unmount();
    renderApp(<AddReviewPage />, { user: customer });
    expect(nameBox()).toHaveValue(customer.displayName);
  });

  it('keeps what was typed over leaving and coming back, for nobody else', async () => {
    desk();
    const user = userEvent.setup();
    const before = renderApp(<AddReviewPage />, { user: customer });
    await fill(user);
    before.unmount();

    const back = renderApp(<AddReviewPage />, { user: customer });
    expect(detailsBox()).toHaveValue('Discs ran true.');
    expect(screen.getByRole('radio', { name: '4 stars' })).toBeChecked();
    back.unmount();

    renderApp(<AddReviewPage />, { user: { ...customer, email: 'b@example.com' } });
    expect(detailsBox()).toHaveValue('');
  });

  it('keeps nothing of what was sent', async () => {
    desk();
    const user = userEvent.setup();
    renderApp(<AddReviewPage />, { user: customer });
    await fill(user);
    expect(sessionStorage).toHaveLength(1);
    await user.click(send());
    expect(await screen.findByText('Review Added Successfully...!')).toBeVisible();
    expect(sessionStorage).toHaveLength(0);
  });

  it('has a message of its own for each field, sends nothing, and begins at the first', async () => {
    desk();
    const user = userEvent.setup();
    renderApp(<AddReviewPage />, { user: customer });
    await user.clear(nameBox());
    await user.click(send());
    await waitFor(() => expect(nameBox()).toHaveAccessibleDescription(/Name is required/));
    expect(detailsBox()).toHaveAccessibleDescription(/Review details are required/);
    const stars = screen.getByRole('radiogroup', { name: 'Rating Out of 5' });
    expect(stars).toHaveAccessibleDescription(/Rating is required/);
    await waitFor(() => expect(nameBox()).toHaveFocus());
  });

  it('moves the focus to the stars when only they are missing', async () => {
    desk();
    const user = userEvent.setup();
    renderApp(<AddReviewPage />, { user: customer });
    await user.type(detailsBox(), 'Good.');
    await user.click(send());
    await waitFor(() => expect(screen.getByRole('radio', { name: 'No stars' })).toHaveFocus());
  });

  it('takes no stars at all as a rating, chosen by keyboard alone', async () => {
    const sent = desk();
    const user = userEvent.setup();
    renderApp(<AddReviewPage />, { user: customer });
    await user.click(nameBox());
    await user.tab();
    expect(screen.getByRole('radio', { name: 'No stars' })).toHaveFocus();
    await user.keyboard(' ');
    await user.tab();
    await user.keyboard('They never came.');
    await user.tab();
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('alert')).toBeVisible();
    expect(sent[0]?.body).toEqual({ name: 'Casey Lane', rating: 0, details: 'They never came.' });
  });

  it('keeps what was typed when the shop is away, and sends it again under the same key', async () => {
    const away = { status: 503, body: problem('unavailable', 503, 'The shop is catching up.') };
    const sent = desk(away);
    const user = userEvent.setup();
    renderApp(<AddReviewPage />, { user: customer });
    await fill(user);
    await user.click(send());
    expect(await screen.findByRole('alert')).toHaveTextContent('The shop is catching up.');
    expect(detailsBox()).toHaveValue('Discs ran true.');
    await user.click(send());
    expect(await screen.findByText('Review Added Successfully...!')).toBeVisible();
    expect(sent[0]?.key).toBeTruthy();
    expect(sent[1]?.key).toBe(sent[0]?.key);
  });

  it("puts the shop's message at the field it belongs to", async () => {
    const errors = [
      { field: 'details', message: 'Review details must be at most 2000 characters' },
    ];
    desk({ status: 422, body: problem('validation', 422, 'Please check the form', { errors }) });
    const user = userEvent.setup();
    renderApp(<AddReviewPage />, { user: customer });
    await fill(user);
    await user.click(send());
    await waitFor(() =>
      expect(detailsBox()).toHaveAccessibleDescription(/must be at most 2000 characters/),
    );
    await waitFor(() => expect(detailsBox()).toHaveFocus());
    expect(screen.queryByRole('alert')).not.toBeInTheDocument();
  });
});

describe('The part of a review', () => {
  const part = () => screen.findByRole('combobox', { name: 'Part (optional)' });

  it('is one that the author paid for, or none', async () => {
    const sent = desk();
    const paid = { ...anOrder(), ...paidWith('pi_1') };
    const orders = [
      { ...paid, _id: 'o1' },
      { ...paid, _id: 'o2' },
      anOrder({ _id: 'o3', productId: 'other', productName: 'Unpaid part' }),
    ];
    server.use(http.get('http://shop.test/orders', () => HttpResponse.json(orders)));
    const user = userEvent.setup();
    renderApp(<AddReviewPage />, { user: customer });
    expect(nameBox()).toHaveValue(customer.displayName);
    const select = await part();
    const options = within(select).getAllByRole('option');
    expect(options.map((option) => option.textContent)).toEqual(['The shop in general', disc.name]);
    await user.selectOptions(select, disc.name);
    await fill(user);
    await user.click(send());
    expect(await screen.findByRole('alert')).toBeVisible();
    expect(sent[0]?.body).toMatchObject({ rating: 4, productId: disc._id });
    expect(select).toHaveValue('');
  });

  it("is chosen already on the way from a part's page, and may be no longer for sale", async () => {
    const errors = [{ field: 'productId', message: 'This part is no longer for sale.' }];
    desk({ status: 422, body: problem('validation', 422, 'Please check the form', { errors }) });
    const user = userEvent.setup();
    const state = { part: { id: disc._id, name: disc.name } };
    renderApp(<AddReviewPage />, { user: customer, at: { pathname: '/dashboard/review', state } });
    expect(await part()).toHaveValue(disc._id);
    await fill(user);
    await user.click(send());
    await waitFor(async () =>
      expect(await part()).toHaveAccessibleDescription(/no longer for sale/),
    );
  });

  it('is not asked for where nothing was bought', async () => {
    desk();
    renderApp(<AddReviewPage />, { user: customer });
    await screen.findByRole('heading', { name: 'Add Review' });
    expect(screen.queryByRole('combobox')).toBeNull();
  });
});

describe('Latest reviews', () => {
  const review = (id: string, name: string) => ({
    _id: id,
    name,
    rating: 1,
    details: `Words of ${name}`,
    createdAt: '2026-11-22T08:00:00Z',
    verified: false,
  });

  it('are listed for an admin, the newest first, and one is hidden at once', async () => {
    const kept = [review('r1', 'Ada'), review('r2', 'Rude Rudi')];
    const removed: string[] = [];
    role(true);
    server.use(
      http.get('http://shop.test/reviews', () => HttpResponse.json(kept)),
      http.delete('http://shop.test/reviews/:id', ({ params }) => {
        removed.push(String(params.id));
        kept.pop();
        return HttpResponse.json({ deletedCount: 1 });
      }),
    );
    const user = userEvent.setup();
    renderApp(<AddReviewPage />, { user: customer });
    const items = await screen.findAllByRole('listitem');
    expect(items.map((item) => item.textContent)).toEqual([
      expect.stringContaining('Rude Rudi'),
      expect.stringContaining('Ada'),
    ]);
    await user.click(screen.getByRole('button', { name: /^Hide ?the review by Rude Rudi$/ }));
    expect(screen.queryByText('Words of Rude Rudi')).not.toBeInTheDocument();
    await waitFor(() => expect(removed).toEqual(['r2']));
    expect(screen.getByText('Words of Ada')).toBeVisible();
    // The keyboard is where the next one can be hidden.
    await waitFor(() =>
      expect(screen.getByRole('button', { name: /^Hide ?the review by Ada$/ })).toHaveFocus(),
    );
  });

  it('that were hidden come back by Undo', async () => {
    const kept = [review('r1', 'Ada'), review('r2', 'Rude Rudi')];
    const all = [...kept];
    role(true);
    server.use(
      http.get('http://shop.test/reviews', () => HttpResponse.json(kept)),
      http.delete('http://shop.test/reviews/:id', () => {
        kept.pop();
        return HttpResponse.json({ deletedCount: 1 });
      }),
      http.post('http://shop.test/reviews/r2/restore', () => {
        kept.splice(0, 2, ...all);
        return HttpResponse.json({ modifiedCount: 1 });
      }),
    );
    const user = userEvent.setup();
    renderApp(
      <>
        <AddReviewPage />
        <ToastHost />
      </>,
      { user: customer },
    );
    await user.click(await screen.findByRole('button', { name: /^Hide ?the review by Rude/ }));
    expect(await screen.findByText('Review by Rude Rudi hidden')).toBeVisible();
    expect(screen.queryByText('Words of Rude Rudi')).not.toBeInTheDocument();
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('Words of Rude Rudi')).toBeVisible();
  });

  it('stay, and say why, when the shop refuses to hide one', async () => {
    role(true);
    server.use(
      http.get('http://shop.test/reviews', () => HttpResponse.json([review('r1', 'Ada')])),
      http.delete('http://shop.test/reviews/:id', () =>
        HttpResponse.json(problem('conflict', 409, 'Another admin was faster.'), { status: 409 }),
      ),
    );
    const user = userEvent.setup();
    renderApp(
      <>
        <AddReviewPage />
        <ToastHost />
      </>,
      { user: customer },
    );
    await user.click(await screen.findByRole('button', { name: /^Hide/ }));
    expect(
      await screen.findByText("We couldn't hide the review by Ada. Another admin was faster."),
    ).toBeVisible();
    expect(screen.getByText('Words of Ada')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('that are hidden say by whom, and come back at once', async () => {
    const hidden = { ...review('r2', 'Ada'), hiddenAt: '2026-11-23T08:00:00Z' };
    const kept = [{ ...hidden, hiddenBy: 'alex@example.com' }];
    const restored: string[] = [];
    role(true);
    server.use(
      http.get('http://shop.test/reviews/hidden', () => HttpResponse.json(kept)),
      http.post('http://shop.test/reviews/:id/restore', ({ params }) => {
        restored.push(String(params.id));
        kept.pop();
        return HttpResponse.json({ modifiedCount: 1 });
      }),
    );
    const user = userEvent.setup();
    const at = '/dashboard/review?view=hidden';
    renderScreens({ '/dashboard/review': <AddReviewPage /> }, { user: customer, at });
    expect(await screen.findByText('Hidden by alex@example.com on Nov 23, 2026')).toBeVisible();
    await user.click(screen.getByRole('button', { name: /^Bring back ?the review by Ada$/ }));
    expect(await screen.findByText('No hidden reviews')).toBeVisible();
    await waitFor(() => expect(restored).toEqual(['r2']));
  });

  it('are not for customers', async () => {
    desk();
    renderApp(<AddReviewPage />, { user: customer });
    await screen.findByRole('heading', { name: 'Add Review' });
    expect(screen.queryByRole('heading', { name: 'Latest reviews' })).not.toBeInTheDocument();
  });
});
