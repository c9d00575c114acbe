import { expectAnswers } from '../fixtures/roles';
import { expect, test } from '../fixtures/shop';

test('neither a visitor nor a customer refunds, not even their own order', async ({
  guest,
  adminApi,
}) => {
  const { page, client } = await guest('customer');
  const order = await client.order(await adminApi.addProduct());
  await client.pay(order);
  await page.goto(`/dashboard/order/${order}`);
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible();
  await expect(page.getByRole('button', { name: /Refund/ })).toHaveCount(0);
  await expectAnswers(client, [['POST', `/orders/${order}/refund`, 403]]);
  const visitor = await guest('visitor');
  await expectAnswers(visitor.client, [['POST', `/orders/${order}/refund`, 401]]);
  expect((await client.done('GET', `/orders/${order}`)).paid).toBe(true);
});

test('an admin refunds a paid order that has not left, and its timeline shows it', async ({
  guest,
  adminApi,
}) => {
  const owner = (await guest('customer')).client;
  const product = await adminApi.addProduct({ availableQty: 500 });
  const order = await owner.order(product);
  const { page, client } = await guest('admin');
  await expectAnswers(client, [['POST', `/orders/${order}/refund`, 409]]);

  await owner.pay(order);
  await page.goto('/dashboard/orders');
  await page.getByLabel('Search').fill(owner.email);
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.getByRole('button', { name: /^Refund/ }).click();
  await expect(page.getByRole('alertdialog')).toContainText('and 50 units returned to stock');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('alert')).toContainText('Order refunded');

  const events = await owner.done('GET', `/orders/${order}/events`);
  expect(events.map((event: { what: string }) => event.what)).toEqual([
    'ordered',
    'paid',
    'cancelled',
    'refunded',
  ]);
  await expectAnswers(owner, [['GET', `/orders/${order}`, 404]]);
  expect((await client.done('GET', `/products/${product}`)).availableQty).toBe(500);
  expect(await client.done('POST', `/orders/${order}/refund`)).toEqual({ modifiedCount: 0 });
});
