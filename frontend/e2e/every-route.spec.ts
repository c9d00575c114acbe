import { type Access, isAdminPath, screens } from '../src/app/screens';
import { expect, type Role, test } from './fixtures/shop';

const all = Object.values(screens);
/** Screens without a parameter in their address. */
const plain = all.filter(({ path }) => !path.includes(':'));
const withAccess = (access: Access) =>
  plain.filter((screen) => screen.access === access).map(({ path }) => path);
const open = [...withAccess('public'), '/no-such-page'];

/** The addresses with a parameter: of a product that is there, of an order and a purchase of one's own, and, for admins, of a customer. */
function filled(
  product: string,
  order: string | null,
  purchase: string | null,
  email: string | null,
): string[] {
  return all
    .filter(({ path }) => path.includes(':'))
    .map(({ path }) =>
      path
        .replace(':productId', product)
        .replace(':id', order ?? ':id')
        .replace(':checkoutId', purchase ?? ':checkoutId')
        .replace(':purchaseId', (email && purchase) ?? ':purchaseId')
        .replace(':email', email ?? ':email'),
    )
    .filter((path) => !path.includes(':'));
}

/** Where somebody of this role ends who asks for a path. */
function endOf(role: Role, path: string): string {
  if (open.includes(path)) {
    return role !== 'visitor' && (path === '/login' || path === '/signup') ? '/' : path;
  }
  if (role === 'visitor') return '/login';
  return role === 'customer' && isAdminPath(path) ? '/login' : path;
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
    const another = await adminApi.addProduct();
    const { page, client } = await guest(role);
    const order =
      role === 'visitor' ? null : await client.order(product, { name: 'Robin Everywhere' });
    const purchase = role === 'visitor' ? null : await client.buyTogether(product, another);
    const addresses = [
      ...open,
      ...withAccess('customer'),
      ...filled(
        product,
        order,
        purchase,
        role === 'admin' ? (client.account?.email ?? null) : null,
      ),
      ...withAccess('admin'),
    ];
    const refused: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() >= 400 && !answer.url().endsWith('/no-such-page')) {
        refused.push(`${answer.status()} ${answer.url()}`);
      }
    });
    for (const path of addresses) {
      await page.goto(path);
      await expect.poll(() => new URL(page.url()).pathname).toBe(endOf(role, path));
      await expect(page.getByRole('heading', { level: 1 }), path).toHaveCount(1);
      await expect(page).toHaveTitle(/.+Driveline/);
      await page.waitForLoadState('networkidle');
    }
    expect(refused).toEqual([]);
  });
}
