import { expectAnswers, expectLogin, menuOf } from '../fixtures/roles';
import { admin, expect, test } from '../fixtures/shop';

const screens = ['/dashboard/orderTable', '/dashboard/myOrders'];

test('a visitor has no list of orders', async ({ guest }) => {
  const { page, client } = await guest('visitor');
  await expectLogin(page, ...screens);
  await expectAnswers(client, [['GET', `/orders?email=${admin.email}`, 401]]);
});

test('a customer sees their own orders and no others', async ({ guest, adminApi }) => {
  const id = await adminApi.addProduct({ name: 'Seen by its Buyer Alone' });
  const other = (await guest('customer')).client;
  await other.order(id);
  const { page, client } = await guest('customer');
  expect(await menuOf(page)).toEqual(expect.arrayContaining(['Order Table', 'My Order']));
  for (const path of screens) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible();
  }
  await client.order(id);
  await page.goto('/dashboard/orderTable');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Orders: 1');
  await page.goto('/dashboard/myOrders');
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(page.getByRole('article')).toContainText(client.email);
  await expectAnswers(client, [
    ['GET', `/orders?email=${client.email}`, 200],
    ['GET', `/orders?email=${other.email}`, 403],
  ]);
});

test("an admin may list anybody's orders, and their own screens show their own", async ({
  guest,
  adminApi,
}) => {
  const id = await adminApi.addProduct();
  const customer = (await guest('customer')).client;
  const order = await customer.order(id);
  const { page, client } = await guest('admin');
  const theirs = await client.done('GET', `/orders?email=${customer.email}`);
  expect(theirs.map((one: { _id: string }) => one._id)).toEqual([order]);
  await page.goto('/dashboard/orderTable');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^My Orders: /);
  await expect(page.getByText(customer.email)).toHaveCount(0);
});
