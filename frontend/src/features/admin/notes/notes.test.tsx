import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import type { Note } from '@/api/types';
import { problem } from '@/testing/orders';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import OrderNotes from './components/order-notes';

const first: Note = {
  _id: 'n1',
  author: 'boss@example.com',
  text: 'Prefers calls\nbefore noon.',
  createdAt: '2026-03-01T10:00:00Z',
};

function shop(notes: Note[]) {
  let kept = notes;
  const keys: (string | null)[] = [];
  server.use(
    http.get('http://shop.test/orders/o1/notes', () => HttpResponse.json(kept)),
    http.post('http://shop.test/orders/o1/notes', async ({ request }) => {
      keys.push(request.headers.get('Idempotency-Key'));
      const { text } = (await request.json()) as { text: string };
      kept = [{ ...first, _id: `n${kept.length + 1}`, text }, ...kept];
      return HttpResponse.json({ insertedId: 'new' }, { status: 201 });
    }),
    http.delete('http://shop.test/notes/:id', ({ params }) => {
      kept = kept.filter(({ _id }) => _id !== params.id);
      return HttpResponse.json({ deletedCount: 1 });
    }),
  );
  return { keys };
}

const show = () => renderApp(<OrderNotes id="o1" />, { user: customer });

describe('Notes', () => {
  it('shows who wrote what', async () => {
    shop([first]);
    show();
    const note = await screen.findByRole('listitem');
    expect(note).toHaveTextContent('Prefers calls before noon.');
    expect(note).toHaveTextContent('boss@example.com, Mar 1, 2026');
  });

  it('adds one, under a key, and empties the field', async () => {
    const { keys } = shop([]);
    show();
    expect(await screen.findByText('No notes yet.')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Add note' }));
    expect(await screen.findByText('Write something first')).toBeVisible();
    await userEvent.type(screen.getByLabelText('Add a note'), ' Called twice. ');
    await userEvent.click(screen.getByRole('button', { name: 'Add note' }));
    expect(await screen.findByText('Called twice.')).toBeVisible();
    expect(screen.getByLabelText('Add a note')).toHaveValue('');
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
  });

  it('says why a note was refused, and keeps what was written', async () => {
    shop([]);
    server.use(
      http.post('http://shop.test/orders/o1/notes', () =>
        HttpResponse.json(problem('conflict', 409, 'Not now'), { status: 409 }),
      ),
    );
    show();
    await userEvent.type(await screen.findByLabelText('Add a note'), 'Called twice.');
    await userEvent.click(screen.getByRole('button', { name: 'Add note' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Not now');
    expect(screen.getByLabelText('Add a note')).toHaveValue('Called twice.');
  });

  it('removes one after the question', async () => {
    shop([first]);
    show();
    await userEvent.click(await screen.findByRole('button', { name: /^Remove/ }));
    const question = screen.getByRole('alertdialog', { name: 'Remove note' });
    await userEvent.click(within(question).getByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(screen.getByText('No notes yet.')).toBeVisible());
  });

  it('says what failed and tries again', async () => {
    server.use(
      http.get('http://shop.test/orders/o1/notes', () => new HttpResponse(null, { status: 500 })),
    );
    show();
    await screen.findByText("We couldn't load the notes");
    shop([first]);
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('listitem')).toBeVisible();
  });
});
