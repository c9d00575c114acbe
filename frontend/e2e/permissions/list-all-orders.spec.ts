import { expectAnswers, expectLogin, expectNoEntry, menuOf } from '../fixtures/roles';
import { expect, test } from '../fixtures/shop';

const screens = ['/dashboard/orders', '/dashboard/allOrderList'];

test("a visitor does not see everybody's orders", async ({ guest }) => {
  const { page, client } = await guest('visitor');
  await expectLogin(page, ...screens);
  await expectAnswers(client, [['GET', '/allOrders', 401]]);
});

test("a customer does not see everybody's orders", async ({ guest }) => {
  const { page, client } = await guest('customer');
  const menu = await menuOf(page);
  expect(menu).not.toContain('All Order List');
  expect(menu).not.toContain('Orders');
  await expectNoEntry(page, ...screens);
  await expectAnswers(client, [['GET', '/allOrders', 403]]);
});

test("an admin sees a new customer's order in both lists, and pays for none of them", async ({
  guest,
  adminApi,
}) => {
  const customer = (await guest('customer')).client;
  await customer.order(await adminApi.addProduct());
  const { page, client } = await guest('admin');
  await page.goto('/dashboard/orders');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^Total Orders: [\d,]+$/);
  await page.getByLabel('Search').fill(customer.email);
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(page.getByRole('article')).toContainText(customer.email);

  await page.goto('/dashboard/allOrderList');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^My Orders: [\d,]+$/);
  await page.getByLabel('Search').fill(customer.email);
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('link', { name: /Pay Now/ })).toHaveCount(0);
  await expectAnswers(client, [['GET', '/allOrders', 200]]);
});
