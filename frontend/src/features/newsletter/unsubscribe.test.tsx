import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { problem } from '@/testing/orders';
import { renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import UnsubscribePage from './pages/unsubscribe-page';

const box = () => screen.getByLabelText('Email');
const unsubscribe = () => userEvent.click(screen.getByRole('button', { name: 'Unsubscribe' }));

describe('unsubscribing from the newsletter', () => {
  it('takes the address off, says so and empties itself', async () => {
    const sent: unknown[] = [];
    server.use(
      http.delete('*/newsletter', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({}, { status: 202 });
      }),
    );
    renderApp(<UnsubscribePage />);
    await userEvent.type(box(), ' casey@example.com ');
    await unsubscribe();
    expect(await screen.findByText(/won't send our newsletter to casey@example.com/)).toBeVisible();
    expect(box()).toHaveValue('');
    expect(sent).toEqual([{ email: 'casey@example.com' }]);
  });

  it.each([
    ['', 'Email is required'],
    ['casey', 'Please enter a valid email'],
  ])('refuses %j itself, at the field', async (typed, message) => {
    renderApp(<UnsubscribePage />);
    if (typed) await userEvent.type(box(), typed);
    await unsubscribe();
    await waitFor(() => expect(box()).toHaveAccessibleDescription(message));
    expect(box()).toBeInvalid();
    expect(box()).toHaveFocus();
  });

  it('shows what the server says and keeps what was typed', async () => {
    const busy = 'Too many tries. Please wait a minute.';
    server.use(
      http.delete('*/newsletter', () =>
        HttpResponse.json(problem('rate-limited', 429, busy), { status: 429 }),
      ),
    );
    renderApp(<UnsubscribePage />);
    await userEvent.type(box(), 'casey@example.com');
    await unsubscribe();
    expect(await screen.findByText(busy)).toBeVisible();
    expect(box()).toHaveValue('casey@example.com');
  });
});
