import { expectAnswers, expectLogin } from '../fixtures/roles';
import { expect, test } from '../fixtures/shop';

test("a visitor reads no order, and a customer not another's: it is not there", async ({
  guest,
  adminApi,
  consoleErrors,
}) => {
  consoleErrors.allow(404, /\/orders\//);
  const owner = (await guest('customer')).client;
  const order = await owner.order(await adminApi.addProduct());
  const visitor = await guest('visitor');
  await expectLogin(visitor.page, `/dashboard/payment/${order}`);
  await expectAnswers(visitor.client, [
    ['GET', `/orders/${order}`, 401],
    ['GET', `/orders/${order}/events`, 401],
  ]);

  const stranger = await guest('customer');
  await stranger.page.goto(`/dashboard/payment/${order}`);
  await expect(
    stranger.page.getByRole('heading', { name: "We can't find that order" }),
  ).toBeVisible();
  await expect(stranger.page.getByText('Vented Disc')).toHaveCount(0);
  await expectAnswers(stranger.client, [
    ['GET', `/orders/${order}`, 404],
    ['GET', `/orders/${order}/events`, 404],
  ]);
});

test('a customer reads their order and its history', async ({ guest, adminApi }) => {
  const { page, client } = await guest('customer');
  const order = await client.order(await adminApi.addProduct());
  await page.goto('/dashboard/myOrders');
  await page.getByText('History').click();
  await expect(page.getByText('Ordered: 50 for $6,450.00')).toBeVisible();
  await expectAnswers(client, [
    ['GET', `/orders/${order}`, 200],
    ['GET', `/orders/${order}/events`, 200],
  ]);
});

test("an admin reads anybody's order and its history", async ({ guest, adminApi }) => {
  const owner = (await guest('customer')).client;
  const order = await owner.order(await adminApi.addProduct());
  const { page, client } = await guest('admin');
  await page.goto('/dashboard/orders');
  await page.getByLabel('Search').fill(owner.email);
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.getByText('History').click();
  await expect(page.getByText('Ordered: 50 for $6,450.00')).toBeVisible();
  await expectAnswers(client, [
    ['GET', `/orders/${order}`, 200],
    ['GET', `/orders/${order}/events`, 200],
  ]);
});
