import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { useEffect } from 'react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import LoginPage from '@/features/accounts/session/pages/login-page';
import { sessionFailed, sessionRequested } from '@/features/accounts/session/slice';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import AdminOnly from './admin-only';
import { SignedInOnly } from './guards';

function LoginStub() {
  const { state } = useLocation();
  return <p>login from {(state as { from: string }).from}</p>;
}

let visits = 0;

function CountedLogin() {
  useEffect(() => {
    visits += 1;
  }, []);
  return <LoginPage />;
}

const screens = (
  <Routes>
    <Route path="/login" element={<LoginStub />} />
    <Route element={<SignedInOnly skeleton={<p>grey bars</p>} />}>
      <Route path="/dashboard/myOrders" element={<p>my orders</p>} />
      <Route element={<AdminOnly />}>
        <Route path="/dashboard/users" element={<p>all users</p>} />
      </Route>
    </Route>
  </Routes>
);

describe('SignedInOnly', () => {
  it('sends a visitor to login and remembers the whole address', () => {
    renderApp(screens, { at: '/dashboard/myOrders?page=2#row' });
    expect(screen.getByText('login from /dashboard/myOrders?page=2#row')).toBeInTheDocument();
  });

  it('lets somebody who is signed in through', () => {
    renderApp(screens, { at: '/dashboard/myOrders', user: customer });
    expect(screen.getByText('my orders')).toBeInTheDocument();
  });

  it('waits while it is unknown, and neither shows the screen nor sends anybody away', () => {
    const { store } = renderApp(screens, { at: '/dashboard/myOrders', user: customer });
    store.dispatch(sessionRequested());
    return waitFor(() => {
      expect(screen.getByText('grey bars')).toBeVisible();
      expect(screen.getByRole('status')).toHaveTextContent('Checking your sign-in');
      expect(screen.queryByText('my orders')).toBeNull();
    });
  });

  it('ends in an error whose Retry asks again', async () => {
    // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
    document.cookie = 'signed-in=1; path=/';
    server.use(
      http.get('*/auth/me', () => HttpResponse.json(customer)),
      http.put('*/user/:email', () => HttpResponse.json({ token: 'a.b.c' })),
    );
    const { store } = renderApp(screens, { at: '/dashboard/myOrders', user: customer });
    store.dispatch(sessionFailed({ status: 0, slug: 'network', message: 'no answer', errors: {} }));
    await userEvent.setup().click(await screen.findByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('my orders')).toBeInTheDocument();
  });
});

describe('AdminOnly', () => {
  it('lets an admin through, after a spinner', async () => {
    server.use(http.get('*/admin/:email', () => HttpResponse.json({ admin: true })));
    renderApp(screens, { at: '/dashboard/users', user: customer });
    expect(screen.getByRole('status')).toHaveTextContent('Checking your permissions');
    expect(await screen.findByText('all users')).toBeInTheDocument();
  });

  it('sends everybody else to login, remembering the origin', async () => {
    server.use(http.get('*/admin/:email', () => HttpResponse.json({ admin: false })));
    renderApp(screens, { at: '/dashboard/users', user: customer });
    expect(await screen.findByText('login from /dashboard/users')).toBeInTheDocument();
    expect(screen.queryByText('all users')).toBeNull();
  });

  it('offers Retry when the role cannot be looked up', async () => {
    let fail = true;
    server.use(
      http.get('*/admin/:email', () =>
        fail ? new HttpResponse(null, { status: 500 }) : HttpResponse.json({ admin: true }),
      ),
    );
    renderApp(screens, { at: '/dashboard/users', user: customer });
    const retry = await screen.findByRole('button', { name: 'Retry' });
    fail = false;
    await userEvent.setup().click(retry);
    expect(await screen.findByText('all users')).toBeInTheDocument();
  });

  it.each(['/Dashboard/%55SERS/', '/dashboard/users/casey@example.com'])(
    'leads a customer from %s to Login once, and never round in circles',
    async (at) => {
      visits = 0;
      server.use(
        http.get('*/admin/:email', () => HttpResponse.json({ admin: false })),
        http.get('*/config', () => HttpResponse.json({ google: false })),
      );
      renderApp(
        <Routes>
          <Route path="/login" element={<CountedLogin />} />
          <Route element={<SignedInOnly skeleton={<p>grey bars</p>} />}>
            <Route element={<AdminOnly />}>
              <Route path="/dashboard/users" element={<p>all users</p>} />
              <Route path="/dashboard/users/:email" element={<p>a customer</p>} />
            </Route>
          </Route>
        </Routes>,
        { at, user: customer },
      );
      expect(await screen.findByRole('alert')).toHaveTextContent(
        `You're signed in as ${customer.email}, which isn't an admin account.`,
      );
      expect(screen.getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/');
      expect(visits).toBe(1);
    },
  );
});
