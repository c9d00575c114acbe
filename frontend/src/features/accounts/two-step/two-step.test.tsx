import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { api } from '@/api/api';
import { problemOf } from '@/api/problem';
import type { SecondFactors } from '@/api/types';
import LoginPage from '@/features/accounts/session/pages/login-page';
import { startSession } from '@/features/accounts/session/thunks';
import { catchDownloads } from '@/testing/downloads';
import { problem } from '@/testing/orders';
import { address, customer, renderApp, renderScreens } from '@/testing/render';
import { noFactors } from '@/testing/second-factor';
import { server } from '@/testing/server';
import { takeNotices } from '@/ui/notify';
import { TwoStepCard } from './components/two-step-card';
import { TwoStepHost } from './components/two-step-host';

const codes = Array.from({ length: 10 }, (_, number) => `AAAA-BBBB-CCCC-00${number}0`);

const nothing: SecondFactors = { ...noFactors, required: true };
const withApp: SecondFactors = {
  ...nothing,
  enrolled: true,
  proved: true,
  provedAt: '2026-11-22T08:00:00Z',
  byApp: true,
  factors: { mayAdd: true, appAddedAt: '2026-11-22T08:00:00Z', passkeys: [], recoveryCodes: 9 },
};

let shop = nothing;
let token: 'granted' | 'second-factor-required' | 'second-factor-missing' = 'granted';
const sent: string[] = [];

beforeEach(() => {
  shop = nothing;
  token = 'granted';
  sent.length = 0;
  server.use(
    http.get('*/config', () => HttpResponse.json({ google: false })),
    http.get('*/admin/:email', () => HttpResponse.json({ admin: false })),
    http.get('*/auth/me', () => HttpResponse.json(customer)),
    http.post('*/auth/login', () => HttpResponse.json(customer)),
    http.post('*/auth/logout', () => new HttpResponse(null, { status: 204 })),
    http.put('*/user/:email', () =>
      token === 'granted'
        ? HttpResponse.json({ token: 'a.b.c' })
        : HttpResponse.json(problem(token, 403, 'More is needed.'), { status: 403 }),
    ),
    http.get('*/auth/second-factor', () => HttpResponse.json(shop)),
    http.post('*/auth/second-factor/app', () =>
      HttpResponse.json({
        secret: 'ABCDEFGH',
        link: 'otpauth://totp/x',
        qr: { size: 21, path: 'M0 0h7v1h-7z' },
      }),
    ),
    http.put('*/auth/second-factor/app', async ({ request }) => {
      const { code } = (await request.json()) as { code: string };
      sent.push(code);
      if (code !== '123456') {
        const wrong = problem('validation', 422, "That code isn't right.", {
          errors: [{ field: 'code', message: "That code isn't right." }],
        });
        return HttpResponse.json(wrong, { status: 422 });
      }
      shop = withApp;
      token = 'granted';
      return HttpResponse.json({ recoveryCodes: codes });
    }),
    http.post('*/auth/second-factor/proof', async ({ request }) => {
      const { code } = (await request.json()) as { code: string };
      sent.push(code);
      token = 'granted';
      return new HttpResponse(null, { status: 204 });
    }),
  );
});

async function logIn() {
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Email'), customer.email);
  await user.type(screen.getByLabelText('Password'), 'demo-password');
  await user.click(screen.getByRole('button', { name: 'Login' }));
  return user;
}

describe('the second step of a log-in', () => {
  beforeEach(() => {
    // biome-ignore lint/suspicious/noDocumentCookie: the hint that the server leaves with the session.
    document.cookie = 'signed-in=1';
  });

  it('is asked for after the password, and leads on', async () => {
    token = 'second-factor-required';
    shop = { ...withApp, proved: false, factors: null };
    renderScreens(
      { '/login': <LoginPage /> },
      { at: { pathname: '/login', state: { from: '/x' } } },
    );
    const user = await logIn();
    expect(await screen.findByRole('heading', { name: 'One more step' })).toBeVisible();
    expect(localStorage.getItem('accessToken')).toBeNull();
    await user.type(await screen.findByLabelText('Code'), '123 456');
    await user.click(screen.getByRole('button', { name: 'Confirm' }));
    await waitFor(() => expect(address()).toBe('/x'));
    expect(sent).toEqual(['123 456']);
    expect(localStorage.getItem('accessToken')).toBe('a.b.c');
  });

  it('is turned on by an admin who has none, whose recovery codes are shown first', async () => {
    token = 'second-factor-missing';
    const saved = catchDownloads();
    renderScreens(
      { '/login': <LoginPage /> },
      { at: { pathname: '/login', state: { from: '/x' } } },
    );
    const user = await logIn();
    await user.click(await screen.findByRole('button', { name: 'Set up an app' }));
    expect(await screen.findByText('ABCD EFGH')).toBeVisible();
    await user.type(screen.getByLabelText('Code from the app'), '000000');
    await user.click(screen.getByRole('button', { name: 'Confirm code' }));
    expect(await screen.findByText("That code isn't right.")).toBeVisible();
    await user.clear(screen.getByLabelText('Code from the app'));
    await user.type(screen.getByLabelText('Code from the app'), '123456');
    await user.click(screen.getByRole('button', { name: 'Confirm code' }));
    const list = await screen.findByRole('list', { name: 'Recovery codes' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(10);
    expect(address()).toBe('/login');
    await user.click(screen.getByRole('button', { name: 'Download codes' }));
    expect(saved[0]?.name).toBe('driveline-recovery-codes.txt');
    expect(await saved[0]?.text).toBe(`${codes.join('\n')}\n`);
    await user.click(screen.getByRole('button', { name: "I've saved them" }));
    await waitFor(() => expect(address()).toBe('/x'));
  });

  it('is where a page leads that finds the log-in half done', async () => {
    token = 'second-factor-required';
    shop = { ...withApp, proved: false, factors: null };
    const { store } = renderScreens(
      { '/login': <LoginPage />, '/shop': <TwoStepHost /> },
      { at: '/shop' },
    );
    await store.dispatch(startSession() as never);
    await waitFor(() => expect(address()).toBe('/login'));
    await userEvent.click(await screen.findByRole('button', { name: 'Use another account' }));
    expect(await screen.findByRole('button', { name: 'Login' })).toBeVisible();
  });
});

describe('a proof that is asked for again', () => {
  const exports = api.injectEndpoints({
    endpoints: (build) => ({
      harm: build.mutation<unknown, void>({ query: () => ({ url: '/harm', method: 'POST' }) }),
    }),
  });
  let proved = false;

  beforeEach(() => {
    proved = false;
    shop = withApp;
    server.use(
      http.post('*/harm', ({ request }) => {
        sent.push(String(request.headers.get('Idempotency-Key')));
        return proved
          ? HttpResponse.json({ done: true })
          : HttpResponse.json(problem('second-factor-again', 403, 'Confirm first.'), {
              status: 403,
            });
      }),
      http.post('*/auth/second-factor/proof', () => {
        proved = true;
        return new HttpResponse(null, { status: 204 });
      }),
    );
  });

  it('is asked for once, and the call goes out again as it was', async () => {
    const { store } = renderApp(<TwoStepHost />, { user: customer });
    const two = [0, 1].map(() => store.dispatch(exports.endpoints.harm.initiate()));
    const dialog = within(await screen.findByRole('dialog', { name: "Confirm it's you" }));
    await userEvent.type(await dialog.findByLabelText('Code'), '123456');
    await userEvent.click(dialog.getByRole('button', { name: 'Confirm' }));
    for (const call of two) expect((await call).data).toEqual({ done: true });
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(new Set(sent).size).toBe(2);
    expect(sent).toHaveLength(4);
  });

  it('is no more than a refusal to whoever closes it', async () => {
    const { store } = renderApp(<TwoStepHost />, { user: customer });
    const call = store.dispatch(exports.endpoints.harm.initiate());
    const dialog = within(await screen.findByRole('dialog', { name: "Confirm it's you" }));
    await userEvent.click(await dialog.findByRole('button', { name: 'Cancel' }));
    expect(problemOf((await call).error).message).toBe('Confirm first.');
  });
});

describe('the card in the profile', () => {
  it('says what there is, and takes it away after a question', async () => {
    shop = {
      ...withApp,
      byPasskey: true,
      factors: {
        mayAdd: true,
        appAddedAt: '2026-11-22T08:00:00Z',
        passkeys: [
          { _id: 'k1', name: 'Laptop', addedAt: '2026-11-22T08:00:00Z', lastUsedAt: null },
        ],
        recoveryCodes: 1,
      },
    };
    server.use(
      http.delete('*/auth/second-factor/passkeys/k1', () => {
        shop = withApp;
        return HttpResponse.json({ deletedCount: 1 });
      }),
    );
    renderApp(<TwoStepCard />, { user: customer });
    expect(await screen.findByText(/not used yet/)).toBeVisible();
    expect(screen.getByText('1 recovery code left')).toBeVisible();
    // Passkeys are for another host than this page's.
    expect(screen.getByText(/only work at shop\.example/)).toBeVisible();
    const row = within(screen.getAllByText('Laptop')[0]?.closest('li') as HTMLElement);
    await userEvent.click(row.getByRole('button', { name: /Remove/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(screen.queryAllByText('Laptop')).toHaveLength(0));
    expect(takeNotices().map(({ text }) => text)).toContain('Laptop removed');
  });

  it('shows new recovery codes once', async () => {
    shop = withApp;
    server.use(
      http.post('*/auth/second-factor/recovery-codes', () =>
        HttpResponse.json({ recoveryCodes: codes }),
      ),
    );
    const writeText = vi.fn(() => Promise.resolve());
    const user = userEvent.setup();
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(writeText);
    renderApp(<TwoStepCard />, { user: customer });
    await user.click(await screen.findByRole('button', { name: /Make new codes/ }));
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    const dialog = within(await screen.findByRole('dialog', { name: 'Save your recovery codes' }));
    await user.click(dialog.getByRole('button', { name: 'Copy codes' }));
    expect(writeText).toHaveBeenCalledWith(`${codes.join('\n')}\n`);
    const shown = screen.getByRole('dialog', { name: 'Save your recovery codes' });
    fireEvent(shown, new Event('cancel', { cancelable: true }));
    expect(screen.getByText(codes[0] ?? '')).toBeVisible();
    await user.click(dialog.getByRole('button', { name: "I've saved them" }));
    expect(screen.queryByText(codes[0] ?? '')).toBeNull();
  });

  it('asks for a confirmed email first, and for a fresh log-in where it has to', async () => {
    shop = { ...nothing, required: false, factors: { ...nothing.factors, mayAdd: false } as never };
    const { unmount } = renderApp(<TwoStepCard />, { user: customer });
    expect(await screen.findByText(/Confirm your email first/)).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Set up an app' })).toBeNull();
    unmount();
    shop = { ...nothing, required: false };
    server.use(
      http.post('*/auth/second-factor/app', () =>
        HttpResponse.json(problem('sign-in-again', 403, 'Log in again to change how you log in'), {
          status: 403,
        }),
      ),
    );
    renderScreens({ '/p': <TwoStepCard /> }, { at: '/p', user: customer });
    await userEvent.click(await screen.findByRole('button', { name: 'Set up an app' }));
    await userEvent.click(await screen.findByRole('button', { name: 'Log in again' }));
    await waitFor(() => expect(address()).toBe('/login'));
  });
});
