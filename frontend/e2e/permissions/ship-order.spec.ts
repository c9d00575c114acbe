import { expectAnswers, expectLogin, expectNoEntry } from '../fixtures/roles';
import { expect, test } from '../fixtures/shop';

test('neither a visitor nor a customer ships, not even their own order', async ({
  guest,
  adminApi,
}) => {
  const { page, client } = await guest('customer');
  const order = await client.order(await adminApi.addProduct());
  await expectNoEntry(page, '/dashboard/orders');
  await page.goto('/dashboard/myOrders');
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(page.getByRole('button', { name: /Approve|Ship/ })).toHaveCount(0);
  await expectAnswers(client, [['PUT', `/orders/status/${order}`, 403]]);

  const visitor = await guest('visitor');
  await expectLogin(visitor.page, '/dashboard/orders');
  await expectAnswers(visitor.client, [['PUT', `/orders/status/${order}`, 401]]);
  expect((await client.done('GET', `/orders/${order}`)).status).toBe('Pending');
});

test('an admin ships after the question, and both buttons are off from then on', async ({
  guest,
  adminApi,
}) => {
  const owner = (await guest('customer')).client;
  const order = await owner.order(await adminApi.addProduct());
  const { page, client } = await guest('admin');
  await page.goto('/dashboard/orders');
  await page.getByLabel('Search').fill(owner.email);
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.getByRole('button', { name: /^Approve Booking/ }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Ship This Boat..!?');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('alert')).toContainText('Product Shipped...!!!');
  await expect(page.getByRole('button', { name: /^Shipped/ })).toBeDisabled();
  await expect(page.getByRole('button', { name: /^Delete Order/ })).toBeDisabled();
  const shipped = await owner.done('GET', `/orders/${order}`);
  expect([shipped.status, shipped.paid]).toEqual(['paid', false]);
  expect(await client.done('PUT', `/orders/status/${order}`)).toEqual({ modifiedCount: 0 });
});
