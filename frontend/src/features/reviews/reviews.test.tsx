import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { problem } from '@/testing/orders';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import AddReviewPage from './pages/add-review-page';

interface Sent {
  body: unknown;
  key: string | null;
}

/** Returns whether the caller is an admin. */
function role(admin: boolean) {
  server.use(http.get('http://shop.test/admin/:email', () => HttpResponse.json({ admin })));
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
    await user.type(nameBox(), 'Casey');
    await user.type(detailsBox(), 'Good.');
    await user.click(send());
    await waitFor(() => expect(screen.getByRole('radio', { name: 'No stars' })).toHaveFocus());
  });

  it('takes no stars at all as a rating, chosen by keyboard alone', async () => {
    const sent = desk();
    const user = userEvent.setup();
    renderApp(<AddReviewPage />, { user: customer });
    await user.click(nameBox());
    await user.keyboard('Casey');
    await user.tab();
    expect(screen.getByRole('radio', { name: 'No stars' })).toHaveFocus();
    await user.keyboard(' ');
    await user.tab();
    await user.keyboard('They never came.');
    await user.tab();
    await user.keyboard('{Enter}');
    expect(await screen.findByRole('alert')).toBeVisible();
    expect(sent[0]?.body).toEqual({ name: 'Casey', rating: 0, details: 'They never came.' });
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

describe('Latest reviews', () => {
  const review = (id: string, name: string) => ({
    _id: id,
    name,
    rating: 1,
    details: `Words of ${name}`,
    createdAt: '2026-11-22T08:00:00Z',
  });

  it('are listed for an admin, the newest first, and one is removed after a question', async () => {
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
    await user.click(screen.getByRole('button', { name: /^Remove ?the review by Rude Rudi$/ }));
    expect(removed).toEqual([]);
    const dialog = screen.getByRole('alertdialog', { name: 'Remove review' });
    await user.click(within(dialog).getByRole('button', { name: /Remove|Yes|Confirm/ }));
    await waitFor(() => expect(screen.queryByText('Words of Rude Rudi')).not.toBeInTheDocument());
    expect(removed).toEqual(['r2']);
    expect(screen.getByText('Words of Ada')).toBeVisible();
  });

  it('are not for customers', async () => {
    desk();
    renderApp(<AddReviewPage />, { user: customer });
    await screen.findByRole('heading', { name: 'Add Review' });
    expect(screen.queryByRole('heading', { name: 'Latest reviews' })).not.toBeInTheDocument();
  });
});
