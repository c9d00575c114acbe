import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { delay, HttpResponse, http } from 'msw';
import { Route, Routes } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import type { User } from '@/api/types';
import { useRole } from '@/features/accounts/session/use-session';
import { problem } from '@/testing/orders';
import { matchesSearch, pageOf } from '@/testing/pages';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import { takeNotices } from '@/ui/notify';
import { PAGE_SIZE } from '../shared/use-list-address';
import UsersPage from './pages/users-page';

function account(email: string, role: User['role'] = 'customer'): User {
  const createdAt = '2026-03-01T10:00:00Z';
  const facts = { photoURL: null, role, verified: true, createdAt, orders: 0, spent: 0 };
  return { _id: email, email, displayName: email, ...facts };
}

const me = account(customer.email, 'admin');
const dana = { ...account("dana+o'shop@example.com"), verified: false };
const boss = account('boss@example.com', 'admin');

/** Keeps accounts as the server does. */
function shop(accounts: User[]) {
  let kept = accounts;
  const requested: URLSearchParams[] = [];
  server.use(
    http.get('http://shop.test/user', ({ request }) => {
      const params = new URL(request.url).searchParams;
      requested.push(params);
      const found = kept.filter(({ email, displayName, role }) => {
        const part = params.get('role');
        return matchesSearch(`${email} ${displayName}`, params.get('q')) && (part ?? role) === role;
      });
      return pageOf(found, request);
    }),
    http.put('http://shop.test/user/admin/:email', ({ params }) => {
      kept = kept.map((each) => (each.email === params.email ? { ...each, role: 'admin' } : each));
      return HttpResponse.json({ modifiedCount: 1 });
    }),
    http.delete('http://shop.test/user/admin/:email', ({ params }) => {
      kept = kept.map((each) =>
        each.email === params.email ? { ...each, role: 'customer' } : each,
      );
      return HttpResponse.json({ modifiedCount: 1 });
    }),
    http.delete('http://shop.test/user/:email', ({ params }) => {
      kept = kept.filter((each) => each.email !== params.email);
      return HttpResponse.json({ deletedCount: 1 });
    }),
  );
  return { requested };
}

const show = () => renderApp(<UsersPage />, { user: customer });
async function rowOf({ email }: User) {
  const cells = await screen.findAllByText(email);
  return within(cells[0]?.closest('tr') as HTMLElement);
}

function RoleSeen() {
  return <output aria-label="Role">{useRole().state}</output>;
}

describe('All Users', () => {
  it('counts them and offers to make an admin only of who is none', async () => {
    shop([me, dana, boss]);
    show();
    expect(await screen.findByRole('heading', { level: 1, name: 'All users: 3' })).toBeVisible();
    expect((await rowOf(dana)).getByRole('button', { name: /^Make Admin/ })).toBeEnabled();
    expect((await rowOf(dana)).getByText('Not verified')).toBeVisible();
    expect((await rowOf(boss)).queryByText('Not verified')).toBeNull();
    expect((await rowOf(boss)).queryByRole('button', { name: /^Make Admin/ })).toBeNull();
    expect((await rowOf(boss)).getByRole('button', { name: /^Remove User/ })).toBeEnabled();
  });

  it('leads to the page of each customer', async () => {
    shop([me, dana]);
    show();
    expect(await screen.findByRole('link', { name: dana.email })).toHaveAttribute(
      'href',
      `/dashboard/users/${encodeURIComponent(dana.email)}`,
    );
  });

  it('shows what each has ordered and spent, and sorts by it', async () => {
    const { requested } = shop([me, { ...dana, orders: 1234, spent: 5678.5 }]);
    show();
    const cells = (await rowOf(dana)).getAllByRole('cell').map((cell) => cell.textContent);
    expect(cells).toEqual(expect.arrayContaining(['1,234', '$5,678.50']));
    const spent = screen.getByRole('columnheader', { name: 'Spent' });
    expect(spent).toHaveAttribute('aria-sort', 'none');
    await userEvent.click(within(spent).getByRole('button'));
    await waitFor(() => expect(requested.at(-1)?.get('sort')).toBe('spent'));
    expect(screen.getByRole('columnheader', { name: 'Spent' })).toHaveAttribute(
      'aria-sort',
      'descending',
    );
  });

  it('lets nobody remove themselves, and says why', async () => {
    shop([me, dana]);
    show();
    const own = (await rowOf(me)).getByRole('button', { name: /^Remove User/ });
    expect(own).toBeDisabled();
    expect(own).toHaveAccessibleDescription("You can't remove yourself.");
  });

  it('makes an admin and says so in a toast', async () => {
    shop([me, dana]);
    show();
    await userEvent.click((await rowOf(dana)).getByRole('button', { name: /^Make Admin/ }));
    await waitFor(async () =>
      expect((await rowOf(dana)).queryByRole('button', { name: /^Make Admin/ })).toBeNull(),
    );
    expect(takeNotices()).toEqual([{ tone: 'success', text: 'Successfully made an admin' }]);
    expect((await rowOf(dana)).getByText('Admin')).toBeVisible();
  });

  it.each([
    [403, 'Forbidden', 'You are not authorized to do this'],
    [404, 'Nobody has that e-mail', 'Nobody has that e-mail'],
  ])('reports a %i in an error toast', async (status, message, shown) => {
    shop([me, dana]);
    server.use(
      http.put('http://shop.test/user/admin/:email', () =>
        HttpResponse.json(problem('refused', status, message), { status }),
      ),
    );
    show();
    await userEvent.click((await rowOf(dana)).getByRole('button', { name: /^Make Admin/ }));
    await waitFor(() => expect(takeNotices()).toEqual([{ tone: 'error', text: shown }]));
    expect((await rowOf(dana)).getByRole('button', { name: /^Make Admin/ })).toBeVisible();
  });

  it('removes somebody after the question, and only after Yes', async () => {
    shop([me, dana]);
    const user = userEvent.setup();
    show();
    await user.click((await rowOf(dana)).getByRole('button', { name: /^Remove User/ }));
    expect(screen.getByRole('alertdialog')).toHaveTextContent(
      `Are you sure you want to remove ${dana.email}?`,
    );
    await user.click(screen.getByRole('button', { name: 'No' }));
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('All users: 2');
    await user.click((await rowOf(dana)).getByRole('button', { name: /^Remove User/ }));
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await screen.findByRole('alert')).toHaveTextContent(`${dana.email} has been removed.`);
    expect(await screen.findByRole('heading', { level: 1, name: 'All users: 1' })).toBeVisible();
  });

  it("shows the shop's sentence when the last admin would go", async () => {
    shop([me, boss]);
    const sentence = 'The last admin cannot be removed';
    server.use(
      http.delete('http://shop.test/user/:email', () =>
        HttpResponse.json(problem('last-admin', 409, sentence), { status: 409 }),
      ),
    );
    const user = userEvent.setup();
    show();
    await user.click((await rowOf(boss)).getByRole('button', { name: /^Remove User/ }));
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await within(screen.getByRole('alertdialog')).findByRole('alert')).toHaveTextContent(
      sentence,
    );
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('All users: 2');
  });

  it('takes it as done when another admin was faster', async () => {
    shop([me, dana]);
    server.use(
      http.delete('http://shop.test/user/:email', () =>
        HttpResponse.json(problem('not-found', 404, 'Not there'), { status: 404 }),
      ),
    );
    const user = userEvent.setup();
    show();
    await user.click((await rowOf(dana)).getByRole('button', { name: /^Remove User/ }));
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await screen.findByText(`${dana.email} has been removed.`)).toBeVisible();
  });

  it('takes the role back after the question, and only after Yes', async () => {
    shop([me, boss]);
    const user = userEvent.setup();
    show();
    await user.click((await rowOf(boss)).getByRole('button', { name: /^Remove Admin/ }));
    expect(screen.getByRole('alertdialog')).toHaveTextContent(
      `Remove admin access for ${boss.email}?`,
    );
    await user.click(screen.getByRole('button', { name: 'No' }));
    expect((await rowOf(boss)).getByText('Admin')).toBeVisible();
    await user.click((await rowOf(boss)).getByRole('button', { name: /^Remove Admin/ }));
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await screen.findByText(`${boss.email} is no longer an admin.`)).toBeVisible();
    await waitFor(async () =>
      expect((await rowOf(boss)).getByRole('button', { name: /^Make Admin/ })).toBeVisible(),
    );
  });

  it('says what giving up the own role means, and leaves the admin screens afterwards', async () => {
    const { requested } = shop([me, boss]);
    const user = userEvent.setup();
    let roles = 0;
    server.use(
      http.get('http://shop.test/admin/:email', () => {
        roles += 1;
        return HttpResponse.json({ admin: roles === 1 });
      }),
    );
    renderApp(
      <>
        <RoleSeen />
        <Routes>
          <Route path="/dashboard/users" element={<UsersPage />} />
          <Route path="/dashboard/profile" element={<p>the profile</p>} />
        </Routes>
      </>,
      { user: customer, at: '/dashboard/users' },
    );
    await user.click((await rowOf(me)).getByRole('button', { name: /^Remove Admin/ }));
    expect(screen.getByRole('alertdialog')).toHaveTextContent(
      "You'll lose admin access immediately.",
    );
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await screen.findByText('the profile')).toBeVisible();
    expect(requested, 'the list is closed by now').toHaveLength(1);
    await waitFor(() =>
      expect(screen.getByRole('status', { name: 'Role' })).toHaveTextContent('customer'),
    );
    expect(takeNotices()).toEqual([{ tone: 'success', text: "You're no longer an admin." }]);
  });

  it("shows the shop's sentence when the last admin would lose the role", async () => {
    shop([me]);
    const sentence = 'The last admin stays one';
    server.use(
      http.delete('http://shop.test/user/admin/:email', () =>
        HttpResponse.json(problem('last-admin', 409, sentence), { status: 409 }),
      ),
    );
    const user = userEvent.setup();
    show();
    await user.click((await rowOf(me)).getByRole('button', { name: /^Remove Admin/ }));
    await user.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await within(screen.getByRole('alertdialog')).findByRole('alert')).toHaveTextContent(
      sentence,
    );
    expect((await rowOf(me)).getByText('Admin')).toBeVisible();
  });

  it('lets the server find accounts, while the heading goes on counting all of them', async () => {
    const { requested } = shop([me, dana, boss]);
    const user = userEvent.setup();
    show();
    const box = await screen.findByRole('searchbox', { name: 'Search' });
    await user.type(box, 'boss');
    expect(await screen.findByText('1 matching user')).toBeVisible();
    expect(await screen.findByRole('heading', { level: 1, name: 'All users: 3' })).toBeVisible();
    await user.type(box, 'less');
    await user.click(await screen.findByRole('button', { name: 'Show all users' }));
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(4));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Role' }), 'Admins');
    expect(await screen.findByText('2 matching users')).toBeVisible();
    await user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Email');
    await waitFor(() => expect(requested.at(-1)?.get('sort')).toBe('email'));
    expect(requested.at(-1)?.get('role')).toBe('admin');
  });

  it('says when each joined, sorts by a press on the heading, and leads to their orders', async () => {
    const { requested } = shop([me, dana]);
    const user = userEvent.setup();
    show();
    expect((await rowOf(dana)).getByText('Mar 1, 2026')).toBeVisible();
    expect((await rowOf(dana)).getByRole('link', { name: /^View orders/ })).toHaveAttribute(
      'href',
      `/dashboard/allOrderList?${new URLSearchParams({ q: dana.email, state: 'all' })}`,
    );
    const joined = screen.getByRole('columnheader', { name: 'Joined' });
    expect(joined).toHaveAttribute('aria-sort', 'ascending');
    await user.click(within(joined).getByRole('button', { name: 'Joined' }));
    await waitFor(() => expect(requested.at(-1)?.get('sort')).toBe('newest'));
    expect(joined).toHaveAttribute('aria-sort', 'descending');
    const email = screen.getByRole('columnheader', { name: 'Email' });
    expect(email).toHaveAttribute('aria-sort', 'none');
    await user.click(within(email).getByRole('button'));
    await waitFor(() => expect(requested.at(-1)?.get('sort')).toBe('email'));
    expect(email).toHaveAttribute('aria-sort', 'ascending');
  });

  it('shows a page at a time', async () => {
    shop(Array.from({ length: PAGE_SIZE + 1 }, (_, place) => account(`p${place}@example.com`)));
    show();
    await screen.findByRole('table');
    expect(screen.getAllByRole('row')).toHaveLength(PAGE_SIZE + 1);
    await userEvent.click(screen.getByRole('button', { name: 'Next' }));
    await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(2));
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('All users: 21');
  });

  it('shows that it loads, then that nobody is there', async () => {
    server.use(
      http.get('http://shop.test/user', async () => {
        await delay(20);
        return HttpResponse.json([]);
      }),
    );
    show();
    expect(screen.getByRole('status', { name: 'Loading users' })).toBeVisible();
    expect(await screen.findByRole('heading', { name: 'No users yet' })).toBeVisible();
  });

  it('says what failed and tries again', async () => {
    let broken = true;
    server.use(
      http.get('http://shop.test/user', () =>
        broken
          ? HttpResponse.json(problem('internal', 500, 'The shop stumbled.'), { status: 500 })
          : HttpResponse.json([me]),
      ),
    );
    show();
    expect(await screen.findByText('The shop stumbled.')).toBeVisible();
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('table')).toBeVisible();
  });
});
