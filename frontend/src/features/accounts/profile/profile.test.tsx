import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Info } from '@/api/types';
import { problem } from '@/testing/orders';
import { customer, renderApp } from '@/testing/render';
import { withoutSecondFactor } from '@/testing/second-factor';
import { server } from '@/testing/server';
import { takeNotices } from '@/ui/notify';
import ProfilePage from './pages/profile-page';

const info: Info = {
  email: customer.email,
  studyIn: 'Gear School',
  livesIn: 'Axleton',
  phone: '555 0100',
  facebook: null,
  linkedin: 'https://linkedin.example/casey',
  github: 'javascript:alert(1)',
};

interface Call {
  method: string;
  email: string | null;
  body: unknown;
}

/** Keeps one profile, as the shop does. */
function desk(stored: Info | null): Call[] {
  const calls: Call[] = [];
  let kept = stored;
  const note = async (request: Request) => {
    const body = (await request.json()) as Record<string, string>;
    const email = new URL(request.url).searchParams.get('email');
    calls.push({ method: request.method, email, body });
    return body;
  };
  server.use(
    http.get('http://shop.test/info', ({ request }) => {
      expect(new URL(request.url).searchParams.get('email')).toBe(customer.email);
      return HttpResponse.json(kept);
    }),
    http.post('http://shop.test/info', async ({ request }) => {
      kept = { ...info, ...(await note(request)) };
      return HttpResponse.json({ insertedId: 'i1' }, { status: 201 });
    }),
    http.put('http://shop.test/info', async ({ request }) => {
      const body = await note(request);
      kept = { ...info, livesIn: body.updatedLivesIn ?? null };
      return HttpResponse.json({ modifiedCount: 1 });
    }),
  );
  return calls;
}

const show = () => renderApp(<ProfilePage />, { user: customer });
const field = (name: string) => screen.getByRole('textbox', { name });

beforeEach(() =>
  server.use(
    withoutSecondFactor,
    http.get('*/auth/verification', () =>
      HttpResponse.json({ email: customer.email, verified: true }),
    ),
    http.get('*/auth/sessions', () => HttpResponse.json([])),
    http.get('*/auth/sign-in-methods', () =>
      HttpResponse.json({ password: true, google: false, verified: true }),
    ),
    http.get('*/config', () => HttpResponse.json({ google: true })),
  ),
);

describe('the profile', () => {
  it('shows who somebody is, what they filled in, and web links only', async () => {
    desk(info);
    show();
    expect(screen.getByRole('heading', { level: 1, name: 'My Profile' })).toBeVisible();
    expect(screen.getByRole('heading', { name: customer.displayName })).toBeVisible();
    expect(screen.getByText(customer.email)).toBeVisible();
    expect(await screen.findByText('Gear School')).toBeVisible();
    expect(screen.getByText('Axleton')).toBeVisible();
    expect(screen.getByText('555 0100')).toBeVisible();
    const links = within(screen.getByRole('list', { name: 'Social links' })).getAllByRole('link');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      'https://linkedin.example/casey',
    ]);
    expect(links[0]?.getAttribute('rel')).toContain('noopener');
  });

  it('shows that it loads, says what failed, and tries again', async () => {
    let broken = true;
    server.use(
      http.get('http://shop.test/info', async () => {
        await delay(20);
        return broken
          ? HttpResponse.json(problem('internal', 500, 'The shop stumbled.'), { status: 500 })
          : HttpResponse.json(info);
      }),
    );
    show();
    expect(screen.getByRole('status', { name: 'Loading your details' })).toBeVisible();
    expect(await screen.findByText('The shop stumbled.')).toBeVisible();
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByText('Gear School')).toBeVisible();
  });

  it('adds info for the first time, and says so', async () => {
    const calls = desk(null);
    const user = userEvent.setup();
    show();
    await user.click(await screen.findByRole('button', { name: 'Add Info' }));
    await screen.findByRole('dialog');
    expect(field('Studied at')).toHaveFocus();
    await user.type(field('Studied at'), ' Gear School ');
    await user.click(field('LinkedIn'));
    await user.paste('https://linkedin.example/casey');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Info added successfully');
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(calls).toEqual([
      {
        method: 'POST',
        email: null,
        body: {
          email: customer.email,
          studyIn: 'Gear School',
          livesIn: '',
          phone: '',
          facebook: '',
          linkedin: 'https://linkedin.example/casey',
          github: '',
        },
      },
    ]);
    expect(await screen.findByText('Gear School')).toBeVisible();
  });

  it('adds nothing when nothing was filled in', async () => {
    const calls = desk(null);
    const user = userEvent.setup();
    show();
    await user.click(await screen.findByRole('button', { name: 'Add Info' }));
    await screen.findByRole('dialog');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Fill in at least one field.')).toBeVisible();
    expect(calls).toEqual([]);
  });

  it("updates under the wire's own names, and says so in a toast", async () => {
    const calls = desk({ ...info, github: null });
    const user = userEvent.setup();
    show();
    await user.click(await screen.findByRole('button', { name: 'Update' }));
    await screen.findByRole('dialog');
    expect(field('Lives in')).toHaveValue('Axleton');
    await user.clear(field('Lives in'));
    await user.type(field('Lives in'), 'Camshaft Bay');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Camshaft Bay')).toBeVisible();
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    expect(takeNotices()).toEqual([{ tone: 'success', text: 'Updated Successfully' }]);
    expect(calls).toEqual([
      {
        method: 'PUT',
        email: customer.email,
        body: {
          updatedStudyIn: 'Gear School',
          updatedLivesIn: 'Camshaft Bay',
          updatedPhone: '555 0100',
          updatedFacebook: '',
          updatedLinkedIn: 'https://linkedin.example/casey',
          updatedGithub: '',
        },
      },
    ]);
  });

  it('refuses what is no web address, at its field', async () => {
    const calls = desk(info);
    const user = userEvent.setup();
    show();
    await user.click(await screen.findByRole('button', { name: 'Update' }));
    await screen.findByRole('dialog');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(field('GitHub')).toHaveAccessibleDescription(/starts with https:\/\//),
    );
    await waitFor(() => expect(field('GitHub')).toHaveFocus());
    expect(calls).toEqual([]);
  });

  it("puts the shop's refusal at the field, whatever the wire calls it", async () => {
    desk({ ...info, github: null });
    const errors = [{ field: 'updatedLinkedin', message: 'LinkedIn must be an http(s) address' }];
    server.use(
      http.put('http://shop.test/info', () =>
        HttpResponse.json(problem('validation', 422, 'Please check', { errors }), { status: 422 }),
      ),
    );
    const user = userEvent.setup();
    show();
    await user.click(await screen.findByRole('button', { name: 'Update' }));
    await screen.findByRole('dialog');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() =>
      expect(field('LinkedIn')).toHaveAccessibleDescription('LinkedIn must be an http(s) address'),
    );
    expect(takeNotices()).toEqual([]);
  });

  it('changes the display name everywhere, and sends no photo that was not changed', async () => {
    desk(info);
    const sent: unknown[] = [];
    server.use(
      http.patch('http://shop.test/auth/me', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json({ ...customer, displayName: 'Casey Bolt' });
      }),
    );
    const user = userEvent.setup();
    const { store } = show();
    await user.click(screen.getByRole('button', { name: 'Edit profile' }));
    await screen.findByRole('dialog');
    const dialog = within(screen.getByRole('dialog'));
    const name = dialog.getByRole('textbox', { name: 'Display name' });
    await user.clear(name);
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(name).toHaveAccessibleDescription('Display name is required'));
    await user.type(name, 'Casey Bolt');
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('heading', { name: 'Casey Bolt' })).toBeVisible();
    expect(sent).toEqual([{ displayName: 'Casey Bolt' }]);
    expect(store.getState().session).toMatchObject({ user: { displayName: 'Casey Bolt' } });
    expect(takeNotices()).toEqual([{ tone: 'success', text: 'Updated Successfully' }]);
  });

  it('takes the photo away, shows initials again, and keeps the rest', async () => {
    desk(info);
    const sent: unknown[] = [];
    server.use(
      http.patch('http://shop.test/auth/me', async ({ request }) => {
        sent.push(await request.json());
        return HttpResponse.json(customer);
      }),
    );
    const user = userEvent.setup();
    const photographed = { ...customer, photoURL: 'https://pictures.example/casey.webp' };
    const { store } = renderApp(<ProfilePage />, { user: photographed });
    await user.click(screen.getByRole('button', { name: 'Edit profile' }));
    await screen.findByRole('dialog');
    const dialog = within(screen.getByRole('dialog'));
    expect(dialog.getByLabelText('Photo URL')).toHaveValue(photographed.photoURL);
    await user.click(dialog.getByRole('button', { name: 'Remove photo' }));
    expect(dialog.getByLabelText('Photo URL')).toHaveValue('');
    expect(dialog.getByLabelText('Photo URL')).toHaveFocus();
    expect(dialog.queryByRole('button', { name: 'Remove photo' })).not.toBeInTheDocument();
    expect(sent).toEqual([]);
    await user.click(dialog.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    expect(sent).toEqual([{ displayName: customer.displayName, photoURL: null }]);
    expect(takeNotices()).toEqual([{ tone: 'success', text: 'Updated Successfully' }]);
    expect(store.getState().session).toMatchObject({ user: { photoURL: null } });
    await user.click(screen.getByRole('button', { name: 'Edit profile' }));
    await screen.findByRole('dialog');
    expect(screen.queryByRole('button', { name: 'Remove photo' })).not.toBeInTheDocument();
  });

  it.each([
    ['account', 'Edit profile', 'patch', '/auth/me'],
    ['info', 'Update', 'put', '/info'],
  ] as const)(
    'says that no user is logged in when the session ended before the %s was saved',
    async (_what, button, method, path) => {
      desk({ ...info, github: null });
      const refused = () =>
        HttpResponse.json(problem('unauthenticated', 401, 'Please sign in.'), { status: 401 });
      server.use(
        http[method](`http://shop.test${path}`, refused),
        http.put('http://shop.test/user/:email', refused),
      );
      const user = userEvent.setup();
      const { store } = show();
      await user.click(await screen.findByRole('button', { name: button }));
      await user.click(screen.getByRole('button', { name: 'Save' }));
      await waitFor(() =>
        expect(takeNotices()).toEqual([{ tone: 'error', text: 'No user is logged in' }]),
      );
      expect(store.getState().session.phase).toBe('out');
    },
  );
});
