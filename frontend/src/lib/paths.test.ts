import { describe, expect, it } from 'vitest';
import { isAdminPath, paths, safeReturnPath } from './paths';

describe('isAdminPath', () => {
  it.each([
    '/dashboard/users',
    '/dashboard/users/',
    // A spelling that the router took for the page and this did not would be led there and back for ever.
    '/Dashboard/Users',
    '/dashboard/%75sers',
    '/DASHBOARD/ALLORDERLIST//',
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

describe('safeReturnPath', () => {
  it.each(['/dashboard/myOrders', '/product/1?x=1#y', '/'])('lets %s through', (path) =>
    expect(safeReturnPath(path)).toBe(path),
  );

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '', null, 7])(
    'goes Home instead of to %j',
    (path) => expect(safeReturnPath(path)).toBe(paths.home),
  );

  it.each(['/login', '/login/', '/Login?from=x', '/signup#x', '/sign%75p'])(
    'goes Home instead of back into the sign-in screens by %s',
    (path) => expect(safeReturnPath(path)).toBe(paths.home),
  );
});
