import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Person } from '@/api/types';
import { openCommandPalette } from '@/lib/command-palette';
import { anOrder, disc, problem } from '@/testing/orders';
import { matchesSearch, pageOf } from '@/testing/pages';
import { address, customer, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import { Dialog } from '@/ui/dialog';
import { PaletteHost } from './host';

const order = anOrder({ name: 'Robin Vale' });
const asked: string[] = [];

const found = <T extends { _id: string }>(name: string, all: T[], textOf: (item: T) => string) =>
  http.get(`*/${name}`, ({ request }) => {
    const search = new URL(request.url).searchParams.get('q');
    asked.push(`${name} ${search}`);
    return pageOf(
      all.filter((item) => matchesSearch(textOf(item), search)),
      request,
    );
  });

const robin = {
  _id: '01900000-0000-7000-8000-0000000000c1',
  email: 'robin@example.com',
  displayName: 'Robin Vale',
};

function shopIs({ admin }: { admin: boolean }) {
  server.use(
    http.get('*/admin/:email', () => HttpResponse.json({ admin })),
    found('products', [disc], ({ name, partNumber }) => `${name} ${partNumber}`),
  );
  if (admin) {
    server.use(
      found('allOrders', [order], ({ number, name }) => `${number} ${name}`),
      found('user', [robin], ({ email, displayName }) => `${email} ${displayName}`),
    );
  } else {
    server.use(http.get('*/orders', () => HttpResponse.json([order])));
  }
}

const pressed = vi.fn();

/** A screen with an action, and the palette's key pressed on it. */
async function open(user: Person | null = customer, more?: ReactNode) {
  renderScreens(
    {
      '*': (
        <>
          <div data-commands>
            <button type="button" onClick={pressed}>
              Select all
            </button>
            <button type="button" disabled>
              Ship nothing
            </button>
          </div>
          {more}
          <PaletteHost />
        </>
      ),
    },
    { user, at: '/dashboard/orders' },
  );
  await userEvent.keyboard('{Control>}k{/Control}');
}

const field = () => screen.findByRole('combobox', { name: 'Search' });

const optionsOf = (group: string) =>
  within(screen.getByRole('group', { name: group }))
    .getAllByRole('option')
    .map((option) => option.textContent);

const groups = () => screen.getAllByRole('group').map((group) => group.textContent);

const chosen = () => screen.getByRole('option', { selected: true });

describe('the command palette', () => {
  beforeEach(() => {
    asked.length = 0;
    pressed.mockReset();
  });

  it('offers the actions of the screen that are on, and the screens of whoever looks', async () => {
    shopIs({ admin: true });
    await open();
    await field();
    await waitFor(() => expect(optionsOf('Go to')).toContain('Manage Products'));
    expect(optionsOf('On this page')).toEqual(['Select all', 'Sign Out']);
    expect(optionsOf('Go to')).toContain('Orders: Ready to ship');
    // Whoever presses Enter without a word does nothing.
    expect(screen.queryByRole('option', { selected: true })).toBeNull();
    await userEvent.keyboard('{Enter}');
    expect(pressed).not.toHaveBeenCalled();
    await userEvent.click(await field());
    await userEvent.keyboard('{ArrowUp}');
    expect(chosen()).toHaveTextContent('Privacy');
    await userEvent.keyboard('{ArrowDown}');
    expect(chosen()).toHaveTextContent('Select all');
    expect(await field()).toHaveAttribute('aria-activedescendant', chosen().id);
    expect(asked).toEqual([]);
  });

  it('offers customers nothing of the back office, and visitors neither orders nor signing out', async () => {
    shopIs({ admin: false });
    await open();
    await field();
    expect(optionsOf('Go to')).toContain('My Order');
    expect(optionsOf('Go to').join()).not.toMatch(/Manage|All Users|Orders:/);
    cleanup();

    await open(null);
    await field();
    expect(optionsOf('Go to')).toContain('Login');
    expect(optionsOf('Go to').join()).not.toMatch(/My Order|Profile/);
    expect(optionsOf('On this page')).toEqual(['Select all']);
  });

  it('presses an action of the screen once it has gone', async () => {
    shopIs({ admin: true });
    await open();
    await userEvent.type(await field(), 'sel{Enter}');
    await waitFor(() => expect(pressed).toHaveBeenCalledOnce());
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(screen.getByRole('button', { name: 'Select all' })).toHaveFocus();
  });

  it('finds an order by its number, and waits with Enter for the answer', async () => {
    shopIs({ admin: true });
    await open();
    await userEvent.type(await field(), 'DL-10428{Enter}');
    await waitFor(() => expect(address()).toBe(`/dashboard/order/${order._id}`));
    // Only what was typed in the end is asked for.
    expect(asked.sort()).toEqual(['allOrders DL-10428', 'products DL-10428', 'user DL-10428']);
  });

  it('finds parts and people, and goes through them by the arrow keys', async () => {
    shopIs({ admin: true });
    await open();
    await userEvent.type(await field(), 'v');
    expect(await screen.findByRole('option', { name: /robin@example.com/ })).toBeVisible();
    expect(optionsOf('Parts')[0]).toContain(disc.name);
    expect(optionsOf('Orders')[0]).toContain('Robin Vale');
    expect(chosen()).toHaveTextContent('DL-10428');
    await userEvent.keyboard('{ArrowDown}');
    expect(chosen()).toHaveTextContent(disc.name);
    await userEvent.keyboard('{ArrowUp}{ArrowUp}');
    expect(chosen()).toHaveTextContent('Search all accounts for “v”');
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(address()).toBe('/dashboard/users?q=v'));
  });

  it("searches a customer's own orders, and never those of others", async () => {
    shopIs({ admin: false });
    await open();
    await userEvent.type(await field(), 'disc 10428');
    expect(await screen.findByRole('group', { name: 'Your orders' })).toBeVisible();
    expect(optionsOf('Your orders')[0]).toContain('DL-10428');
    expect(asked).toEqual(['products disc 10428']);
  });

  it('says that nothing was found, and still leads to the shop', async () => {
    shopIs({ admin: true });
    await open();
    await userEvent.type(await field(), 'zebra');
    expect(await screen.findByText('Check the spelling or try fewer words.')).toBeVisible();
    expect(groups()).toHaveLength(1);
    expect(optionsOf('Search everywhere')).toContain('Search the shop for “zebra”');
  });

  it('says when a search failed, and searches again', async () => {
    shopIs({ admin: true });
    let broken = true;
    server.use(
      http.get('*/user', () =>
        broken
          ? HttpResponse.json(problem('conflict', 409, 'No.'), { status: 409 })
          : HttpResponse.json([robin]),
      ),
    );
    await open();
    await userEvent.type(await field(), 'robin');
    expect(await screen.findByRole('alert')).toHaveTextContent("We couldn't search everything.");
    expect(optionsOf('Orders')).toHaveLength(1);
    broken = false;
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
    expect(await screen.findByRole('group', { name: 'People' })).toBeVisible();
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('remembers where it led, for this account only', async () => {
    shopIs({ admin: true });
    await open();
    await userEvent.type(await field(), 'manage{Enter}');
    await waitFor(() => expect(address()).toBe('/dashboard/manage'));
    await userEvent.keyboard('{Control>}k{/Control}');
    await field();
    expect(optionsOf('Recent')).toEqual(['Manage Products']);
    cleanup();

    await open({ ...customer, email: 'other@example.com' });
    await field();
    expect(screen.queryByRole('group', { name: 'Recent' })).toBeNull();
  });

  it('closes by its key, and opens from a help, but not over another dialog', async () => {
    shopIs({ admin: true });
    await open();
    await field();
    await userEvent.keyboard('{Control>}k{/Control}');
    expect(screen.queryByRole('dialog')).toBeNull();
    act(openCommandPalette);
    await field();
    cleanup();

    await open(
      customer,
      <Dialog open title="Billing Details" onClose={() => {}}>
        …
      </Dialog>,
    );
    expect(screen.queryByRole('combobox')).toBeNull();
  });
});
