import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import HomePage from '@/features/catalog/pages/home-page';
import { disc } from '@/testing/orders';
import { address, customer, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import LoginPage from './pages/login-page';
import SignupPage from './pages/signup-page';

const noGoogle = http.get('*/config', () =>
  HttpResponse.json({ paymentProvider: 'sandbox', publishableKey: null, google: false }),
);

const wantedDisc = http.get('*/products/7', () => HttpResponse.json(disc));

const screens = { '/login': <LoginPage />, '/signup': <SignupPage /> };

async function typeLogin(email = customer.email, password = 'demo-password') {
  const user = userEvent.setup();
  await user.type(screen.getByLabelText('Email'), email);
  await user.type(screen.getByLabelText('Password'), password);
  await user.click(screen.getByRole('button', { name: 'Login' }));
  return user;
}

describe('Login', () => {
  it('goes back to where one came from, and only once the access token has been received', async () => {
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    server.use(
      noGoogle,
      wantedDisc,
      http.post('*/auth/login', () => HttpResponse.json(customer)),
      http.put('*/user/:email', async () => {
        await held;
        return HttpResponse.json({ token: 'a.b.c' });
      }),
    );
    renderScreens(screens, { at: { pathname: '/login', state: { from: '/product/7?x=1' } } });
    await typeLogin();
    expect(await screen.findByText(/Logging in/)).toBeInTheDocument();
    await delay(30);
    expect(address()).toBe('/login');
    expect(localStorage.getItem('accessToken')).toBeNull();
    release();
    await waitFor(() => expect(address()).toBe('/product/7?x=1'));
    expect(localStorage.getItem('accessToken')).toBe('a.b.c');
  });

  it('goes Home when one came from nowhere, and never to another site', async () => {
    server.use(
      noGoogle,
      http.get('*/admin/:email', () => HttpResponse.json({ admin: false })),
      http.post('*/auth/login', () => HttpResponse.json(customer)),
      http.put('*/user/:email', () => HttpResponse.json({ token: 'a.b.c' })),
    );
    renderScreens(screens, { at: { pathname: '/login', state: { from: '//evil.test/x' } } });
    await typeLogin();
    await waitFor(() => expect(address()).toBe('/'));
  });

  it('lets an admin begin at the overview, unless they asked for another page', async () => {
    server.use(
      noGoogle,
      http.get('*/admin/:email', () => HttpResponse.json({ admin: true })),
      http.post('*/auth/login', () => HttpResponse.json(customer)),
      http.put('*/user/:email', () => HttpResponse.json({ token: 'a.b.c' })),
    );
    const { unmount } = renderScreens(screens, { at: '/login' });
    await typeLogin();
    await waitFor(() => expect(address()).toBe('/dashboard/overview'));
    unmount();
    const asked = { pathname: '/login', state: { from: '/shop?q=disc' } };
    renderScreens(screens, { at: asked, user: customer });
    await waitFor(() => expect(address()).toBe('/shop?q=disc'));
  });

  it('leads whoever is signed in already Home, an admin too', async () => {
    server.use(
      noGoogle,
      http.get('*/admin/:email', () => HttpResponse.json({ admin: true })),
    );
    renderScreens(screens, { at: '/login', user: customer });
    await waitFor(() => expect(address()).toBe('/'));
  });

  it('goes Home where the shop does not say whether one is an admin', async () => {
    server.use(
      noGoogle,
      http.get('*/admin/:email', () => HttpResponse.json(null, { status: 500 })),
      http.post('*/auth/login', () => HttpResponse.json(customer)),
      http.put('*/user/:email', () => HttpResponse.json({ token: 'a.b.c' })),
    );
    renderScreens(screens, { at: '/login' });
    await typeLogin();
    await waitFor(() => expect(address()).toBe('/'));
  });

  it('shows the error above the button and keeps what was typed', async () => {
    server.use(
      noGoogle,
      http.post('*/auth/login', () =>
        HttpResponse.json(
          { type: '/problems/wrong-credentials', message: 'Wrong e-mail or password.' },
          { status: 401 },
        ),
      ),
    );
    renderScreens(screens, { at: '/login' });
    await typeLogin();
    const message = await screen.findByText('Wrong e-mail or password.');
    const button = screen.getByRole('button', { name: 'Login' });
    expect(message.compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(screen.getByLabelText('Email')).toHaveValue(customer.email);
    expect(screen.getByLabelText('Password')).toHaveValue('demo-password');
  });

  it('leaves the keyboard at the password after a wrong one, all of it selected', async () => {
    server.use(
      noGoogle,
      http.post('*/auth/login', () =>
        HttpResponse.json({ message: 'Incorrect email or password.' }, { status: 401 }),
      ),
    );
    renderScreens(screens, { at: '/login' });
    await typeLogin();
    await screen.findByText('Incorrect email or password.');
    const password = screen.getByLabelText<HTMLInputElement>('Password');
    await waitFor(() => expect(password).toHaveFocus());
    expect([password.selectionStart, password.selectionEnd]).toEqual([0, 'demo-password'.length]);
  });

  it('shows the characters of a password to whoever asks', async () => {
    server.use(noGoogle);
    renderScreens(screens, { at: '/login' });
    const password = await screen.findByLabelText('Password');
    expect(password).toHaveAttribute('type', 'password');
    const eye = screen.getByRole('button', { name: 'Show characters', pressed: false });
    await userEvent.click(eye);
    expect(eye).toHaveAttribute('aria-pressed', 'true');
    expect(password).toHaveAttribute('type', 'text');
    expect(screen.getByLabelText('Email')).toHaveAttribute('autocomplete', 'username');
  });

  it('says that the token could not be had, and stays', async () => {
    server.use(
      noGoogle,
      http.post('*/auth/login', () => HttpResponse.json(customer)),
      http.put('*/user/:email', () =>
        HttpResponse.json(
          { type: '/problems/unavailable', message: 'Back soon.' },
          { status: 503 },
        ),
      ),
    );
    renderScreens(screens, { at: '/login' });
    await typeLogin();
    expect(await screen.findByText('Back soon.')).toBeInTheDocument();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Login' })).toHaveFocus());
    expect(address()).toBe('/login');
  });

  it('puts each message at its own field and the focus on the first', async () => {
    server.use(noGoogle);
    renderScreens(screens, { at: '/login' });
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Login' }));
    await waitFor(() => expect(screen.getByLabelText('Email')).toHaveFocus());
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Email is required');
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('Password is required');

    await user.type(screen.getByLabelText('Email'), 'nobody');
    await user.type(screen.getByLabelText('Password'), '12345');
    await user.click(screen.getByRole('button', { name: 'Login' }));
    expect(await screen.findByText('Please enter a valid email')).toBeInTheDocument();
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(
      'Must be at least 6 characters',
    );
  });

  it('shows a customer who came from an admin page why, offers Home, and does not loop', async () => {
    server.use(
      noGoogle,
      http.get('*/admin/:email', () => HttpResponse.json({ admin: false })),
    );
    renderScreens(screens, {
      at: { pathname: '/login', state: { from: '/dashboard/users', adminOnly: true } },
      user: customer,
    });
    expect(await screen.findByRole('alert')).toHaveTextContent(/for admins/);
    expect(screen.getByRole('link', { name: 'Home' })).toHaveAttribute('href', '/');
    expect(address()).toBe('/login');
  });

  it('lets somebody who may not enter sign out there, and still knows where they wanted to go', async () => {
    server.use(
      noGoogle,
      http.get('*/admin/:email', () => HttpResponse.json({ admin: false })),
      http.post('*/auth/logout', () => new HttpResponse(null, { status: 204 })),
    );
    renderScreens(screens, {
      at: { pathname: '/login', state: { from: '/dashboard/users', adminOnly: true } },
      user: customer,
    });
    await userEvent.click(await screen.findByRole('button', { name: 'Use another account' }));
    expect(await screen.findByLabelText('Email')).toBeVisible();
    server.use(
      http.post('*/auth/login', () => HttpResponse.json(customer)),
      http.put('*/user/:email', () => HttpResponse.json({ token: 'a.b.c' })),
      http.get('*/admin/:email', () => HttpResponse.json({ admin: true })),
    );
    await typeLogin();
    await waitFor(() => expect(address()).toBe('/dashboard/users'));
  });

  it('sends an admin on to the admin page', async () => {
    server.use(
      noGoogle,
      http.get('*/admin/:email', () => HttpResponse.json({ admin: true })),
    );
    renderScreens(screens, {
      at: { pathname: '/login', state: { from: '/dashboard/users', adminOnly: true } },
      user: customer,
    });
    await waitFor(() => expect(address()).toBe('/dashboard/users'));
  });

  it('offers Google only where the shop has it', async () => {
    server.use(
      http.get('*/config', () =>
        HttpResponse.json({ paymentProvider: 'sandbox', publishableKey: null, google: true }),
      ),
    );
    const { unmount } = renderScreens(screens, { at: '/login' });
    expect(await screen.findByRole('button', { name: 'Continue with Google' })).toBeVisible();
    unmount();

    let requested = false;
    server.use(
      http.get('*/config', () => {
        requested = true;
        return HttpResponse.json({
          paymentProvider: 'stripe',
          publishableKey: 'pk',
          google: false,
        });
      }),
    );
    renderScreens(screens, { at: '/login' });
    await waitFor(() => expect(requested).toBe(true));
    await delay(20);
    expect(screen.queryByRole('button', { name: 'Continue with Google' })).toBeNull();
  });

  it('says that the password of before is gone to whoever took an account over by Google', async () => {
    renderScreens(screens, {
      at: '/login?notice=google_password_gone&from=%2Fdashboard%2FmyOrders',
      user: customer,
    });
    expect(await screen.findByText('The old password no longer works.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Continue' })).toHaveAttribute(
      'href',
      '/dashboard/myOrders',
    );
  });

  it('explains a way back from Google that ended here', () => {
    server.use(noGoogle);
    renderScreens(screens, { at: '/login?error=google_cancelled' });
    expect(screen.getByText('Google sign-in was canceled.')).toBeInTheDocument();
  });
});

describe('a part that a visitor wanted to order', () => {
  const from = '/product/7?x=1';

  it('is still named after a way through Google that ended here', async () => {
    sessionStorage.setItem('google:from', JSON.stringify(from));
    server.use(noGoogle, wantedDisc);
    const { unmount } = renderScreens(screens, { at: '/login?error=google_cancelled' });
    expect(await screen.findByText(`Log in to order ${disc.name}`)).toBeVisible();
    await userEvent.click(screen.getByRole('link', { name: 'Create New Account' }));
    expect(await screen.findByText(`Sign up to order ${disc.name}`)).toBeVisible();
    unmount();
    // Whoever comes to Login by another way wants something else.
    renderScreens(screens, { at: '/login' });
    expect(screen.queryByText(/^Log in to order/)).toBeNull();
  });

  it('is named on Login and on Sign Up, and Home leads back to it after the sign-up', async () => {
    server.use(
      noGoogle,
      wantedDisc,
      http.get('*/products', () => HttpResponse.json([])),
      http.get('*/reviews', () => HttpResponse.json([])),
      http.post('*/auth/signup', () => HttpResponse.json(customer, { status: 201 })),
      http.put('*/user/:email', () => HttpResponse.json({ token: 'a.b.c' })),
    );
    renderScreens(
      { ...screens, '/': <HomePage /> },
      { at: { pathname: '/login', state: { from } } },
    );
    const user = userEvent.setup();
    expect(await screen.findByText(`Log in to order ${disc.name}`)).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Create New Account' }));
    expect(await screen.findByText(`Sign up to order ${disc.name}`)).toBeVisible();
    // And back again.
    await user.click(screen.getByRole('link', { name: 'Please Login' }));
    expect(await screen.findByText(`Log in to order ${disc.name}`)).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Create New Account' }));
    await user.type(screen.getByLabelText('Name'), 'Casey Lane');
    await user.type(screen.getByLabelText('Email'), customer.email);
    await user.type(screen.getByLabelText('Password'), 'secret7');
    await user.click(screen.getByRole('button', { name: 'SIGNUP' }));
    const onward = await screen.findByRole('link', { name: `Continue with ${disc.name} →` });
    expect(onward).toHaveAttribute('href', '/product/7');
    expect(address()).toBe('/');
  });

  it('that cannot be shown leaves the plain sentence', async () => {
    server.use(
      noGoogle,
      http.get('*/products/7', () => new HttpResponse(null, { status: 404 })),
    );
    renderScreens(screens, { at: { pathname: '/login', state: { from } } });
    await waitFor(() => expect(screen.getByText(/Log in to continue/)).toBeVisible());
  });
});

describe('Sign up', () => {
  it('says what one agrees to', () => {
    server.use(noGoogle);
    renderScreens(screens, { at: '/signup' });
    expect(screen.getByRole('link', { name: 'terms of sale' })).toHaveAttribute('href', '/terms');
    expect(screen.getByRole('link', { name: 'privacy' })).toHaveAttribute('href', '/privacy');
  });

  it('creates the account, takes the token and goes Home', async () => {
    let sent: unknown;
    let key: string | null = null;
    server.use(
      noGoogle,
      http.post('*/auth/signup', async ({ request }) => {
        sent = await request.json();
        key = request.headers.get('Idempotency-Key');
        return HttpResponse.json(customer, { status: 201 });
      }),
      http.put('*/user/:email', () => HttpResponse.json({ token: 'a.b.c' })),
    );
    const { store } = renderScreens(screens, { at: '/signup' });
    const user = userEvent.setup();
    await user.type(screen.getByLabelText('Name'), 'Casey Lane');
    await user.type(screen.getByLabelText('Email'), ' casey@example.com');
    await user.type(screen.getByLabelText('Password'), 'secret7');
    await user.click(screen.getByRole('button', { name: 'SIGNUP' }));
    await waitFor(() => expect(address()).toBe('/'));
    expect(sent).toEqual({ name: 'Casey Lane', email: 'casey@example.com', password: 'secret7' });
    expect(key).toMatch(/^[0-9a-f-]{36}$/);
    expect(store.getState().session).toEqual({ phase: 'in', user: customer });
  });

  it('reads a short password at the password, not at the e-mail', async () => {
    server.use(noGoogle);
    renderScreens(screens, { at: '/signup' });
    const user = userEvent.setup();
    await user.type(screen.getByLabelText('Password'), '123');
    await user.click(screen.getByRole('button', { name: 'SIGNUP' }));
    expect(await screen.findByText('Name is required')).toBeInTheDocument();
    expect(screen.getByLabelText('Email')).toHaveAccessibleDescription('Email is required');
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(
      /Must be at least 6 characters$/,
    );
    expect(screen.getByLabelText('Name')).toHaveFocus();
  });

  it('puts a taken e-mail at its field', async () => {
    server.use(
      noGoogle,
      http.post('*/auth/signup', () =>
        HttpResponse.json(
          {
            type: '/problems/email-taken',
            message: 'This e-mail is already in use.',
            errors: [{ field: 'email', message: 'This e-mail is already in use.' }],
          },
          { status: 409 },
        ),
      ),
    );
    renderScreens(screens, { at: '/signup' });
    const user = userEvent.setup();
    await user.type(screen.getByLabelText('Name'), 'Casey');
    await user.type(screen.getByLabelText('Email'), customer.email);
    await user.type(screen.getByLabelText('Password'), 'secret7');
    await user.click(screen.getByRole('button', { name: 'SIGNUP' }));
    await waitFor(() =>
      expect(screen.getByLabelText('Email')).toHaveAccessibleDescription(
        'This e-mail is already in use.',
      ),
    );
    expect(
      within(screen.getByRole('button', { name: 'SIGNUP' })).queryByText(/Creating/),
    ).toBeNull();
    expect(screen.getByLabelText('Email')).toHaveFocus();
  });
});
