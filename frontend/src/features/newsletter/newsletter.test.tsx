import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { problem } from '@/testing/orders';
import { renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import { NewsletterBox } from './newsletter-box';

interface Call {
  body: unknown;
  key: string | null;
}

/** Answers the subscriptions one after the other. */
function answer(...answers: (() => Response)[]): Call[] {
  const calls: Call[] = [];
  server.use(
    http.post('http://shop.test/newsletter', async ({ request }) => {
      calls.push({ body: await request.json(), key: request.headers.get('Idempotency-Key') });
      return answers[calls.length - 1]?.() ?? HttpResponse.error();
    }),
  );
  return calls;
}

const accepted = () => new HttpResponse(null, { status: 202 });
const box = () => screen.getByLabelText(/by email/);
const subscribe = () => userEvent.click(screen.getByRole('button', { name: 'Subscribe' }));

describe('the newsletter box', () => {
  it('subscribes, thanks and empties itself', async () => {
    const calls = answer(accepted);
    renderApp(<NewsletterBox />);
    await userEvent.type(box(), ' casey@example.com ');
    await subscribe();
    expect(await screen.findByText('Thanks for subscribing!')).toBeVisible();
    expect(box()).toHaveValue('');
    expect(calls.map(({ body }) => body)).toEqual([{ email: 'casey@example.com' }]);
  });

  it.each([
    ['', 'Email is required'],
    ['casey', 'Please enter a valid email'],
  ])('refuses %j itself, at the field, and asks nobody', async (typed, message) => {
    renderApp(<NewsletterBox />);
    if (typed) await userEvent.type(box(), typed);
    await subscribe();
    await waitFor(() => expect(box()).toHaveAccessibleDescription(message));
    expect(box()).toBeInvalid();
    expect(box()).toHaveFocus();
  });

  it('shows what the server says, keeps what was typed, and tries again under the same key', async () => {
    const busy = 'Too many tries. Please wait a minute.';
    const calls = answer(
      () => HttpResponse.json(problem('rate-limited', 429, busy), { status: 429 }),
      () => HttpResponse.error(),
      accepted,
    );
    renderApp(<NewsletterBox />);
    await userEvent.type(box(), 'casey@example.com');
    await subscribe();
    expect(await screen.findByText(busy)).toBeVisible();
    expect(box()).toHaveValue('casey@example.com');
    await subscribe();
    expect(await screen.findByText(/can't reach the store/)).toBeVisible();
    await subscribe();
    expect(await screen.findByText('Thanks for subscribing!')).toBeVisible();
    expect(screen.queryByText(/can't reach the store/)).not.toBeInTheDocument();
    expect(new Set(calls.map(({ key }) => key)).size).toBe(1);
  });
});
