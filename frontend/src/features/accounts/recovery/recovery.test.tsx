import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { problem } from '@/testing/orders';
import { address, customer, renderApp, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import { VerificationNotice } from './components/verification-notice';
import ForgotPasswordPage from './pages/forgot-password-page';
import ResetPasswordPage from './pages/reset-password-page';
import VerifyEmailPage from './pages/verify-email-page';

const TOKEN = 'k3y_of-a-letter';
const gone = () =>
  HttpResponse.json(problem('link-gone', 410, 'This link has been used or is too old'), {
    status: 410,
  });

const screens = {
  '/forgot-password': <ForgotPasswordPage />,
  '/reset-password': <ResetPasswordPage />,
  '/verify-email': <VerifyEmailPage />,
};

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));

/** Answers a call with the same again and again, and keeps what was sent. */
function desk(path: string, answer: () => Response): { body: unknown; key: string | null }[] {
  const sent: { body: unknown; key: string | null }[] = [];
  server.use(
    http.post(`*${path}`, async ({ request }) => {
      const text = await request.text();
      sent.push({
        body: text === '' ? null : JSON.parse(text),
        key: request.headers.get('Idempotency-Key'),
      });
      return answer();
    }),
  );
  return sent;
}

describe('a forgotten password', () => {
  it('asks for an e-mail and says the same whether or not the address has an account', async () => {
    const sent = desk('/auth/password/forgot', () => HttpResponse.json({}, { status: 202 }));
    renderScreens(screens, { at: '/forgot-password' });
    await userEvent.type(screen.getByLabelText('Email'), ' casey@example.com ');
    await press('Send reset link');
    expect(await screen.findByRole('alert')).toHaveTextContent(
      "If there's an account for casey@example.com, we've sent an email with a reset link. It expires in one hour.",
    );
    expect(sent).toEqual([
      { body: { email: 'casey@example.com' }, key: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    ]);
    expect(screen.getByRole('link', { name: 'Back to Login' })).toHaveAttribute('href', '/login');
    await press('Try another email');
    expect(screen.getByLabelText('Email')).toHaveValue('');
  });

  it('says what is wrong with an address before anything is sent', async () => {
    renderScreens(screens, { at: '/forgot-password' });
    await press('Send reset link');
    expect(await screen.findByText('Email is required')).toBeInTheDocument();
    await userEvent.type(screen.getByLabelText('Email'), 'nobody');
    await press('Send reset link');
    expect(await screen.findByText('Please enter a valid email')).toBeInTheDocument();
    expect(screen.getByLabelText('Email')).toHaveFocus();
  });

  it('keeps what was typed if the shop cannot be asked', async () => {
    desk('/auth/password/forgot', () =>
      HttpResponse.json(problem('unavailable', 503, 'Back soon.'), { status: 503 }),
    );
    renderScreens(screens, { at: '/forgot-password' });
    await userEvent.type(screen.getByLabelText('Email'), 'casey@example.com');
    await press('Send reset link');
    expect(await screen.findByText('Back soon.')).toBeInTheDocument();
    expect(screen.getByLabelText('Email')).toHaveValue('casey@example.com');
  });
});

describe('another password', () => {
  const choose = async (password: string) => {
    await userEvent.type(await screen.findByLabelText('New password'), password);
    await press('Save new password');
  };

  it('is chosen with what the link held, which leaves the address at once, and nobody is signed in any more', async () => {
    const sent = desk('/auth/password/reset', () => HttpResponse.json({ email: customer.email }));
    localStorage.setItem('accessToken', 'a.b.c');
    const { store } = renderScreens(screens, {
      at: `/reset-password#token=${TOKEN}`,
      user: customer,
    });
    await waitFor(() => expect(address()).toBe('/reset-password'));
    await choose('a longer way home');
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Password changed for casey@example.com.',
    );
    expect(sent.map(({ body }) => body)).toEqual([{ token: TOKEN, password: 'a longer way home' }]);
    expect(store.getState().session).toEqual({ phase: 'out' });
    expect(localStorage.getItem('accessToken')).toBeNull();
    expect(screen.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login');
  });

  it('is refused by a link that was used, which offers another', async () => {
    desk('/auth/password/reset', gone);
    const { store } = renderScreens(screens, {
      at: `/reset-password#token=${TOKEN}`,
      user: customer,
    });
    await choose('a longer way home');
    expect(await screen.findByText('This link has been used or is too old')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Send a new link' })).toHaveAttribute(
      'href',
      '/forgot-password',
    );
    expect(screen.queryByLabelText('New password')).toBeNull();
    expect(store.getState().session.phase).toBe('in');
  });

  it('has its own message at its field, and can be corrected with the same link', async () => {
    const answers = [
      () =>
        HttpResponse.json(
          {
            ...problem('validation', 422, 'This password is too common, please choose another'),
            errors: [
              {
                field: 'password',
                message: 'This password is too common, please choose another',
              },
            ],
          },
          { status: 422 },
        ),
      () => HttpResponse.json({ email: customer.email }),
    ];
    const sent = desk('/auth/password/reset', () => (answers.shift() ?? gone)());
    renderScreens(screens, { at: `/reset-password#token=${TOKEN}` });
    await choose('12345');
    expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(
      /Must be at least 6 characters$/,
    );
    await choose('6');
    await waitFor(() =>
      expect(screen.getByLabelText('New password')).toHaveAccessibleDescription(/too common/),
    );
    await choose(' no more');
    expect(await screen.findByRole('link', { name: 'Login' })).toBeVisible();
    expect(sent.map(({ body }) => body)).toEqual([
      { token: TOKEN, password: '123456' },
      { token: TOKEN, password: '123456 no more' },
    ]);
    expect(sent[0]?.key).not.toBe(sent[1]?.key);
  });

  it('is chosen by a link of before, which had its secret behind a question mark', async () => {
    const sent = desk('/auth/password/reset', () => HttpResponse.json({ email: customer.email }));
    renderScreens(screens, { at: `/reset-password?token=${TOKEN}` });
    await choose('a longer way home');
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(address()).toBe('/reset-password');
  });

  it('cannot be chosen with half a link', async () => {
    renderScreens(screens, { at: '/reset-password' });
    expect(await screen.findByRole('alert')).toHaveTextContent('This link is incomplete.');
    expect(screen.queryByLabelText('New password')).toBeNull();
  });
});

describe('a confirmed address', () => {
  it('is confirmed by a button and not by opening the link', async () => {
    const sent = desk('/auth/verification/confirm', () =>
      HttpResponse.json({ email: customer.email, verified: true }),
    );
    renderScreens(screens, { at: `/verify-email#token=${TOKEN}` });
    await waitFor(() => expect(address()).toBe('/verify-email'));
    expect(sent).toEqual([]);
    await press('Confirm email');
    expect(await screen.findByRole('alert')).toHaveTextContent(
      'Thank you! casey@example.com is confirmed.',
    );
    expect(sent.map(({ body }) => body)).toEqual([{ token: TOKEN }]);
  });

  it('is shown as confirmed to its owner although the link was used before', async () => {
    desk('/auth/verification/confirm', gone);
    server.use(
      http.get('*/auth/verification', () =>
        HttpResponse.json({ email: customer.email, verified: true }),
      ),
    );
    renderScreens(screens, { at: `/verify-email#token=${TOKEN}`, user: customer });
    await press('Confirm email');
    expect(await screen.findByText(/is confirmed\./)).toBeInTheDocument();
  });

  it('is not confirmed by a link that is too old, which leads to another e-mail', async () => {
    desk('/auth/verification/confirm', gone);
    renderScreens(screens, { at: `/verify-email#token=${TOKEN}` });
    await press('Confirm email');
    expect(await screen.findByText('This link has been used or is too old')).toBeInTheDocument();
    expect(screen.getByRole('link', { name: 'Send a new email' })).toHaveAttribute(
      'href',
      '/dashboard/profile',
    );
  });

  it('can be tried again without an answer, under the same key', async () => {
    const answers = [
      () => HttpResponse.json(problem('unavailable', 503, 'Back soon.'), { status: 503 }),
      () => HttpResponse.json({ email: customer.email, verified: true }),
    ];
    const sent = desk('/auth/verification/confirm', () => (answers.shift() ?? gone)());
    renderScreens(screens, { at: `/verify-email#token=${TOKEN}` });
    await press('Confirm email');
    expect(await screen.findByText('Back soon.')).toBeInTheDocument();
    await press('Confirm email');
    expect(await screen.findByText(/is confirmed\./)).toBeInTheDocument();
    expect(sent[0]?.key).toBe(sent[1]?.key);
  });

  it('cannot be confirmed with half a link', async () => {
    renderScreens(screens, { at: '/verify-email' });
    expect(await screen.findByRole('alert')).toHaveTextContent('This link is incomplete.');
    expect(screen.queryByRole('button', { name: 'Confirm email' })).toBeNull();
  });
});

describe('a link in a browser that is not signed in to the account', () => {
  const notShown = () =>
    HttpResponse.json(problem('confirm-as-owner', 409, 'Please log in to this account'), {
      status: 409,
    });

  const open = async () => {
    renderScreens(screens, { at: `/verify-email#token=${TOKEN}` });
    await press('Confirm email');
    expect(await screen.findByText(/Someone signed up with your email/)).toBeInTheDocument();
  };

  it('confirms the address with the password of the account', async () => {
    const answers = [
      notShown,
      () =>
        HttpResponse.json(
          {
            ...problem('validation', 422, 'This is not the password of the account'),
            errors: [{ field: 'password', message: 'This is not the password of the account' }],
          },
          { status: 422 },
        ),
      () => HttpResponse.json({ email: customer.email, verified: true }),
    ];
    const sent = desk('/auth/verification/confirm', () => (answers.shift() ?? gone)());
    await open();
    await press('It was me');
    await userEvent.type(screen.getByLabelText('Account password'), 'wrong');
    await press('Confirm email');
    await waitFor(() =>
      expect(screen.getByLabelText('Account password')).toHaveAccessibleDescription(
        /This is not the password/,
      ),
    );
    await userEvent.type(screen.getByLabelText('Account password'), ' no more');
    await press('Confirm email');
    expect(await screen.findByText(/is confirmed\./)).toBeInTheDocument();
    expect(sent.at(-1)?.body).toEqual({ token: TOKEN, password: 'wrong no more' });
  });

  it('takes the account over with a new password', async () => {
    desk('/auth/verification/confirm', notShown);
    const sent = desk('/auth/verification/take-over', () =>
      HttpResponse.json({ email: customer.email }),
    );
    await open();
    await press('Take over the account');
    await userEvent.type(screen.getByLabelText('New password'), 'a longer way home');
    await press('Take over the account');
    expect(await screen.findByText(/is yours now/)).toBeInTheDocument();
    expect(sent[0]?.body).toEqual({ token: TOKEN, password: 'a longer way home' });
  });

  it('deletes the account after a question', async () => {
    desk('/auth/verification/confirm', notShown);
    const sent = desk('/auth/verification/delete', () => HttpResponse.json({ deletedCount: 1 }));
    await open();
    await userEvent.click(screen.getByRole('button', { name: /^Delete the account/ }));
    await userEvent.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Yes' }),
    );
    expect(await screen.findByText(/Account deleted/)).toBeInTheDocument();
    expect(sent[0]?.body).toEqual({ token: TOKEN });
  });
});

describe('a sign-in with Google that an e-mail finishes', () => {
  it('says so if another browser began it', async () => {
    desk('/auth/google/finish', () =>
      HttpResponse.json(problem('link-gone', 410, 'This link was asked for in another browser'), {
        status: 410,
      }),
    );
    renderScreens(screens, { at: `/verify-email#google=${TOKEN}` });
    await userEvent.click(await screen.findByRole('button', { name: 'Yes, sign me in' }));
    expect(await screen.findByText('This link was asked for in another browser')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login');
  });

  it('signs in and says that the password of before is gone', async () => {
    const sent = desk('/auth/google/finish', () =>
      HttpResponse.json({ destination: '/shop', passwordGone: true }),
    );
    renderScreens(screens, { at: `/verify-email#google=${TOKEN}` });
    await userEvent.click(await screen.findByRole('button', { name: 'Yes, sign me in' }));
    expect(await screen.findByText('The old password no longer works.')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Continue' })).toHaveAttribute('href', '/shop');
    expect(sent[0]?.body).toEqual({ token: TOKEN });
    expect(address()).toBe('/verify-email');
  });
});

describe('an address that is not confirmed', () => {
  const verification = (verified: boolean) =>
    http.get('*/auth/verification', () => HttpResponse.json({ email: customer.email, verified }));

  it('is shown, and the e-mail sent again', async () => {
    server.use(verification(false));
    const sent = desk('/auth/verification', () => HttpResponse.json({}, { status: 202 }));
    renderApp(<VerificationNotice />, { user: customer });
    expect(await screen.findByText("Your email isn't verified yet.")).toBeInTheDocument();
    await press('Resend email');
    expect(await screen.findByRole('status')).toHaveTextContent('Verification email sent.');
    expect(screen.queryByRole('button')).toBeNull();
    expect(sent).toHaveLength(1);
  });

  it('says that no e-mail could be requested', async () => {
    server.use(verification(false));
    desk('/auth/verification', () =>
      HttpResponse.json(problem('unavailable', 503, 'Back soon.'), { status: 503 }),
    );
    renderApp(<VerificationNotice />, { user: customer });
    await userEvent.click(await screen.findByRole('button', { name: 'Resend email' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Back soon.');
    expect(screen.getByRole('button', { name: 'Resend email' })).toBeEnabled();
  });

  it('goes unmentioned once it is confirmed', async () => {
    let requested = 0;
    server.use(
      http.get('*/auth/verification', () => {
        requested += 1;
        return HttpResponse.json({ email: customer.email, verified: true });
      }),
    );
    const { container } = renderApp(<VerificationNotice />, { user: customer });
    await waitFor(() => expect(requested).toBe(1));
    await waitFor(() => expect(container).toBeEmptyDOMElement());
  });

  it('offers Retry where the shop did not say', async () => {
    let silent = true;
    server.use(
      http.get('*/auth/verification', () =>
        silent
          ? HttpResponse.json(problem('defect', 500, 'Broken.'), { status: 500 })
          : HttpResponse.json({ email: customer.email, verified: false }),
      ),
    );
    renderApp(<VerificationNotice />, { user: customer });
    const retry = await screen.findByRole('button', { name: 'Try again' });
    silent = false;
    await userEvent.click(retry);
    expect(await screen.findByText("Your email isn't verified yet.")).toBeInTheDocument();
  });
});
