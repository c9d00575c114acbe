import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Session } from '@/api/types';
import { problem } from '@/testing/orders';
import { customer, renderApp } from '@/testing/render';
import { withoutSecondFactor } from '@/testing/second-factor';
import { server } from '@/testing/server';
import { takeNotices } from '@/ui/notify';
import ProfilePage from './pages/profile-page';

const here: Session = {
  _id: 's1',
  device: 'Firefox on Linux',
  openedAt: '2026-11-01T08:00:00Z',
  lastSeenAt: '2026-11-22T08:00:00Z',
  current: true,
};
const phone: Session = { ...here, _id: 's2', device: 'Safari on iPhone', current: false };
const unknown: Session = { ...here, _id: 's3', device: null, current: false };

let open: Session[] = [];

beforeEach(() => {
  open = [here, phone, unknown];
  server.use(
    withoutSecondFactor,
    http.get('*/info', () => HttpResponse.json(null)),
    http.get('*/auth/verification', () =>
      HttpResponse.json({ email: customer.email, verified: true }),
    ),
    http.get('*/auth/sessions', () => HttpResponse.json(open)),
    http.get('*/auth/sign-in-methods', () =>
      HttpResponse.json({ password: true, google: false, verified: true }),
    ),
    http.get('*/config', () => HttpResponse.json({ google: true })),
    http.delete('*/auth/sessions/:id', ({ params }) => {
      open = open.filter((session) => session._id !== params.id);
      return HttpResponse.json({ deletedCount: 1 });
    }),
    http.delete('*/auth/sessions', () => {
      open = [here];
      return HttpResponse.json({ deletedCount: 2 });
    }),
  );
});

const show = () => renderApp(<ProfilePage />, { user: customer });
const row = async (name: string) => {
  // It stands on the button as well, for who cannot see the row.
  const [text] = await screen.findAllByText(name);
  return within(text?.closest('li') as HTMLElement);
};

describe('the security of an account', () => {
  it('shows where one is signed in, and which device this is', async () => {
    show();
    const own = await row('Firefox on Linux');
    expect(own.getByText('This device')).toBeVisible();
    expect(own.queryByRole('button')).not.toBeInTheDocument();
    expect((await row('Unknown device')).getByText(/Last active/)).toBeVisible();
  });

  it('signs one device out, after a question', async () => {
    const user = userEvent.setup();
    show();
    await user.click((await row('Safari on iPhone')).getByRole('button', { name: /Sign out/ }));
    const dialog = within(screen.getByRole('alertdialog', { name: 'Sign out this device?' }));
    await user.click(dialog.getByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(screen.queryAllByText('Safari on iPhone')).toHaveLength(0));
    expect(takeNotices().map(({ text }) => text)).toContain('Signed out: Safari on iPhone');
  });

  it('signs all other devices out, and then offers it no more', async () => {
    const user = userEvent.setup();
    show();
    await user.click(await screen.findByRole('button', { name: /Sign out everywhere else/ }));
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    await waitFor(() =>
      expect(screen.queryByRole('button', { name: /Sign out everywhere else/ })).toBeNull(),
    );
    expect(screen.getByText('Firefox on Linux')).toBeVisible();
  });

  it('changes the password, and says at which field it was refused', async () => {
    const sent: unknown[] = [];
    server.use(
      http.post('*/auth/password/change', async ({ request }) => {
        sent.push(await request.json());
        const message = 'This is not your current password';
        return sent.length === 1
          ? HttpResponse.json(
              {
                ...problem('invalid', 422, message),
                errors: [{ field: 'currentPassword', message }],
              },
              { status: 422 },
            )
          : new HttpResponse(null, { status: 204 });
      }),
    );
    const user = userEvent.setup();
    show();
    await user.click(screen.getByRole('button', { name: 'Change password' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Change password' }));
    expect(dialog.getByLabelText('Current password')).toHaveFocus();
    await user.type(dialog.getByLabelText('Current password'), 'wrong one');
    await user.type(dialog.getByLabelText('New password'), 'a longer walk');
    await user.click(dialog.getByRole('button', { name: 'Change password' }));
    expect(await dialog.findByText('This is not your current password')).toBeVisible();
    await user.clear(dialog.getByLabelText('Current password'));
    await user.type(dialog.getByLabelText('Current password'), 'a long walk');
    await user.click(dialog.getByRole('button', { name: 'Change password' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(sent[1]).toEqual({ currentPassword: 'a long walk', newPassword: 'a longer walk' });
  });

  it('uploads a photo, and shows it at once', async () => {
    server.use(
      http.post('*/auth/me/photo', () =>
        HttpResponse.json({ ...customer, photoURL: '/images/casey-64.webp' }),
      ),
    );
    const user = userEvent.setup();
    const { store } = show();
    await user.click(screen.getByRole('button', { name: 'Edit profile' }));
    await screen.findByRole('dialog');
    const picture = new File(['picture'], 'me.png', { type: 'image/png' });
    await user.upload(screen.getByLabelText('Photo file'), picture);
    await waitFor(() =>
      expect(store.getState().session).toMatchObject({
        user: { photoURL: '/images/casey-64.webp' },
      }),
    );
    expect(screen.getByLabelText('Photo URL')).toHaveValue('/images/casey-64.webp');
  });
});
