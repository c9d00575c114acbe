import { expectAnswers, expectLogin } from '../fixtures/roles';
import { expect, type Role, test } from '../fixtures/shop';

const everywhere = ['Home', 'Shop', 'About'];
const bar: Record<Role, { links: string[]; out: boolean }> = {
  visitor: { links: [...everywhere, 'Login'], out: false },
  customer: { links: [...everywhere, 'Dashboard'], out: true },
  admin: { links: [...everywhere, 'Dashboard'], out: true },
};

for (const role of ['visitor', 'customer', 'admin'] as const) {
  test(`Home, Shop and About are open to everybody, under the links of the role: ${role}`, async ({
    guest,
    adminApi,
  }) => {
    const id = await adminApi.addProduct();
    const { page, client } = await guest(role);
    await page.goto('/');
    await expect(page.getByRole('heading', { name: 'Top Hot Deals' })).toBeVisible();
    const main = page.getByRole('banner').getByRole('navigation', { name: 'Main' });
    await expect(main.getByRole('link')).toHaveText(bar[role].links);
    await expect(main.getByRole('button', { name: 'Sign Out' })).toHaveCount(bar[role].out ? 1 : 0);
    const avatar = page.getByRole('banner').getByRole('link', { name: /^My Profile/ });
    await expect(avatar).toHaveCount(bar[role].out ? 1 : 0);

    await main.getByRole('link', { name: 'Shop' }).click();
    await expect(page).toHaveURL('/shop');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('All available Deals');
    await expect(page.getByRole('article').first()).toBeVisible();
    await main.getByRole('link', { name: 'About' }).click();
    await expect(page).toHaveURL('/about');
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(/since 1992/);

    await expectAnswers(client, [
      ['GET', '/products', 200],
      ['GET', `/products/${id}`, 200],
      ['GET', '/reviews', 200],
      ['GET', '/config', 200],
    ]);
  });
}

test('a product is read by anybody, and its page is for who has signed in', async ({
  guest,
  adminApi,
}) => {
  const id = await adminApi.addProduct({ name: 'Billet Wheel of a Journey' });
  await expectLogin((await guest('visitor')).page, `/product/${id}`);
  for (const role of ['customer', 'admin'] as const) {
    const { page } = await guest(role);
    await page.goto(`/product/${id}`);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Billet Wheel of a Journey');
    await expect(page.getByRole('button', { name: 'Purchase' })).toBeEnabled();
  }
});
