import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import { problem } from '@/testing/orders';
import { address, customer, renderApp, renderScreens } from '@/testing/render';
import { withoutSecondFactor } from '@/testing/second-factor';
import { server } from '@/testing/server';
import { SignInMethods } from './components/sign-in-methods';

function has(methods: { password: boolean; google: boolean }) {
  server.use(
    withoutSecondFactor,
    http.get('*/auth/sign-in-methods', () => HttpResponse.json({ ...methods, verified: true })),
    http.get('*/config', () => HttpResponse.json({ google: true })),
  );
}

const show = () => renderApp(<SignInMethods />, { user: customer });

describe('the ways to log in', () => {
  it('lead to Google and back to link it', async () => {
    has({ password: true, google: false });
    server.use(
      http.post('*/auth/google/link', () => HttpResponse.json({ address: '/sandbox/google?a=b' })),
    );
    const assign = vi.fn();
    vi.stubGlobal('location', { ...location, assign });
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Link Google' }));
    await waitFor(() => expect(assign).toHaveBeenCalledWith('/sandbox/google?a=b'));
    vi.unstubAllGlobals();
  });

  it('ask for a fresh log-in before another is added', async () => {
    has({ password: true, google: false });
    server.use(
      http.post('*/auth/google/link', () =>
        HttpResponse.json(problem('sign-in-again', 403, 'Log in again to change how you log in'), {
          status: 403,
        }),
      ),
    );
    show();
    await userEvent.click(await screen.findByRole('button', { name: 'Link Google' }));
    expect(await screen.findByText('Log in again to change how you log in')).toBeVisible();
    expect(screen.getByRole('button', { name: 'Log in again' })).toBeVisible();
  });

  it('say what came of the way to Google', async () => {
    has({ password: true, google: true });
    renderScreens(
      { '/dashboard/profile': <SignInMethods /> },
      { user: customer, at: '/dashboard/profile?google=linked' },
    );
    expect(await screen.findByText(/Google is linked/)).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Dismiss message' }));
    expect(address()).toBe('/dashboard/profile');
  });

  it('let Google be removed after a question', async () => {
    has({ password: true, google: true });
    let removed = 0;
    server.use(
      http.delete('*/auth/google/link', () => {
        removed += 1;
        has({ password: true, google: false });
        return HttpResponse.json({ deletedCount: 1 });
      }),
    );
    show();
    await userEvent.click(await screen.findByRole('button', { name: /^Remove/ }));
    const dialog = await screen.findByRole('alertdialog');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Yes' }));
    expect(await screen.findByText(/Google removed/)).toBeVisible();
    expect(await screen.findByRole('button', { name: 'Link Google' })).toBeVisible();
    expect(removed).toBe(1);
  });

  it('keep the last one', async () => {
    has({ password: false, google: true });
    show();
    const remove = await screen.findByRole('button', { name: /^Remove/ });
    expect(remove).toBeDisabled();
    expect(remove).toHaveAccessibleDescription(/only way to log in/);
    expect(screen.getByRole('link', { name: 'Set a password' })).toBeVisible();
  });

  it('can be asked for again where they did not load', async () => {
    server.use(
      http.get('*/auth/sign-in-methods', () =>
        HttpResponse.json(problem('defect', 500, 'Broken.'), { status: 500 }),
      ),
      http.get('*/config', () => HttpResponse.json({ google: true })),
    );
    show();
    expect(await screen.findByText("We couldn't load your ways to log in")).toBeVisible();
  });
});
