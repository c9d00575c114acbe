import { describe, expect, it } from 'vitest';
import { isAdminPath, linkTo, screenNames, screens } from './screens';

describe('isAdminPath', () => {
  it.each([
    '/dashboard/overview',
    '/dashboard/users',
    '/dashboard/users/',
    // A spelling that the router took for the page and this did not would be led there and back for ever.
    '/Dashboard/Users',
    '/dashboard/%75sers',
    '/DASHBOARD/ALLORDERLIST//',
    '/dashboard/manage/01900000-0000-7000-8000-000000000001',
    '/Dashboard/Manage/a%2Fb/',
  ])('knows %s', (pathname) => expect(isAdminPath(pathname)).toBe(true));

  it.each([
    '/',
    '/dashboard',
    '/dashboard/myOrders',
    '/dashboard/order/users',
    '/dashboard/%E0%A4%A',
  ])('leaves %s to everybody who is signed in', (pathname) =>
    expect(isAdminPath(pathname)).toBe(false),
  );
});

describe('the table of screens', () => {
  it('has each address once', () => {
    const addresses = screenNames.map((name) => screens[name].path);
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it('opens the dashboard to everybody who is signed in, with the profile, and the overview to admins', () => {
    expect(screens.dashboard.access).toBe('customer');
    expect(screens.dashboard.load).toBe(screens.profile.load);
    expect(screens.overview.access).toBe('admin');
  });

  it('names the entries of menus by their titles, and Home by its own label', () => {
    expect(linkTo('home')).toEqual({ to: '/', label: 'Home' });
    expect(linkTo('users')).toEqual({ to: '/dashboard/users', label: 'All Users' });
  });
});
