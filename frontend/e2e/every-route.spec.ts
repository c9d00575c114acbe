import { expect, type Role, test } from './fixtures/shop';

const open = [
  '/',
  '/shop',
  '/about',
  '/login',
  '/signup',
  '/forgot-password',
  '/reset-password',
  '/verify-email',
  '/no-such-page',
];
const signedIn = [
  '/dashboard',
  '/dashboard/profile',
  '/dashboard/orderTable',
  '/dashboard/review',
  '/dashboard/myOrders',
  '/dashboard/blog',
];
const adminOnly = [
  '/dashboard/users',
  '/dashboard/addProduct',
  '/dashboard/orders',
  '/dashboard/allOrderList',
  '/dashboard/manage',
  '/dashboard/deliveries',
  '/dashboard/attention',
];

/** Where somebody of this role ends who asks for a path. */
function endOf(role: Role, path: string): string {
  if (open.includes(path)) {
    return role !== 'visitor' && (path === '/login' || path === '/signup') ? '/' : path;
  }
  if (role === 'visitor') return '/login';
  return role === 'customer' && adminOnly.includes(path) ? '/login' : path;
}

for (const role of ['visitor', 'customer', 'admin'] as const) {
  test(`every address, as ${role}: one heading, a title, nothing refused, nothing in the console`, async ({
    guest,
    adminApi,
    consoleErrors,
  }) => {
    test.slow();
    consoleErrors.allow(404, /\/no-such-page/);
    const product = await adminApi.addProduct();
    const { page, client } = await guest(role);
    const own: string[] = [];
    if (role !== 'visitor') {
      const order = await client.order(product, { name: 'Robin Everywhere' });
      own.push(`/dashboard/payment/${order}`, `/dashboard/order/${order}`);
    }
    const refused: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() >= 400 && !answer.url().endsWith('/no-such-page')) {
        refused.push(`${answer.status()} ${answer.url()}`);
      }
    });
    for (const path of [...open, `/product/${product}`, ...signedIn, ...own, ...adminOnly]) {
      await page.goto(path);
      await expect.poll(() => new URL(page.url()).pathname).toBe(endOf(role, path));
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(1);
      await expect(page).toHaveTitle(/.+Driveline/);
      await page.waitForLoadState('networkidle');
    }
    expect(refused).toEqual([]);
  });
}
