import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import DashboardMenu from './dashboard-menu';
import MenuDrawer from './menu-drawer';

const roleIs = (admin: boolean) =>
  server.use(http.get('*/admin/:email', () => HttpResponse.json({ admin })));

const listsOf = (menu: HTMLElement) =>
  within(menu)
    .getAllByRole('list')
    .map((list) =>
      within(list)
        .getAllByRole('link')
        .map((link) => link.textContent),
    );

describe('the dashboard menu', () => {
  it("has an admin's entries in the spec's order, and the overview above them", async () => {
    roleIs(true);
    renderApp(<DashboardMenu />, { user: customer, at: '/dashboard/overview' });
    const overview = await screen.findByRole('link', { name: 'Overview' });
    expect(overview).toHaveAttribute('aria-current', 'page');
    expect(listsOf(overview.closest('ul')?.parentElement as HTMLElement)[0]).toEqual([
      'Overview',
      'Needs attention',
      'Catalog',
      'Purchases',
      'Prices',
      'Freight',
      'Tax',
      'Seller details',
      'Feeds',
      'Email & webhooks',
      'Audit trail',
    ]);
    const menu = screen.getByRole('navigation', { name: 'Dashboard' });
    expect(overview.compareDocumentPosition(menu)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect(listsOf(menu)).toEqual([
      [
        'Home',
        'All Order List',
        'Orders',
        'Manage Products',
        'Add Product',
        'All Users',
        'Blog',
        'My Profile',
      ],
    ]);
  });

  it("has a customer's entries, without the overview", async () => {
    roleIs(false);
    renderApp(<DashboardMenu />, { user: customer, at: '/dashboard' });
    await screen.findByRole('link', { name: 'Order Table' });
    expect(
      listsOf(
        screen.getByRole('link', { name: 'My Garage' }).closest('ul')?.parentElement as HTMLElement,
      )[0],
    ).toEqual(['Quick order', 'Purchases', 'Lists', 'Address Book', 'My Garage']);
    expect(screen.queryByRole('link', { name: 'Overview' })).toBeNull();
    expect(listsOf(screen.getByRole('navigation', { name: 'Dashboard' }))).toEqual([
      ['Home', 'Order Table', 'My Order', 'Add Review', 'Blog', 'My Profile'],
    ]);
  });

  it('ends with Sign Out, or with Login for who is signed out', async () => {
    roleIs(false);
    const signedIn = renderApp(<DashboardMenu />, { user: customer });
    expect(await screen.findByRole('button', { name: 'Sign Out' })).toBeVisible();
    expect(screen.queryByRole('link', { name: 'Login' })).toBeNull();
    signedIn.unmount();
    renderApp(<DashboardMenu />);
    expect(screen.getByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login');
    expect(screen.queryByRole('button', { name: 'Sign Out' })).toBeNull();
  });
});

describe('the drawer of a phone', () => {
  it("leads from the dashboard into the shop, beside the dashboard's own menu", async () => {
    roleIs(false);
    renderApp(<MenuDrawer inDashboard onClose={() => undefined} />, { user: customer });
    expect(await screen.findByRole('link', { name: 'My Order' })).toBeVisible();
    const main = screen.getByRole('navigation', { name: 'Main' });
    expect(within(main).getByRole('link', { name: 'Shop' })).toHaveAttribute('href', '/shop');
  });
});
