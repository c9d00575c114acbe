import { expectAnswers } from '../fixtures/roles';
import { expect, test } from '../fixtures/shop';

test('neither a visitor nor another account asks for a return of an order', async ({
  guest,
  adminApi,
}) => {
  const owner = (await guest('customer')).client;
  const order = await owner.order(await adminApi.addProduct());
  for (const [role, status] of [
    ['visitor', 401],
    ['customer', 404],
    ['admin', 404],
  ] as const) {
    const { client } = await guest(role);
    const ask = { reason: 'damaged', units: 1 };
    await expectAnswers(client, [['POST', `/orders/${order}/returns`, status, ask]]);
  }
});

test('a customer asks to return a part of a shipped order, and it stands in its history', async ({
  guest,
  adminApi,
}) => {
  const { page, client } = await guest('customer');
  const order = await client.order(await adminApi.addProduct());
  await client.pay(order);
  await page.goto(`/dashboard/order/${order}`);
  await expect(page.getByRole('button', { name: 'Print' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Return units/ })).toHaveCount(0);
  await adminApi.done('PUT', `/orders/status/${order}`);

  await page.reload();
  await page.getByRole('button', { name: /^Return units/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Why are you returning them?').selectOption('damaged');
  await dialog.getByLabel('Units').fill('10');
  await dialog.getByRole('button', { name: 'Ask for return' }).click();
  await expect(page.getByRole('alert')).toContainText('your request to return 10 units');
  await expect(page.getByText('Waiting for our answer')).toBeVisible();
  await expect(page.getByText('Return of 10 units requested')).toBeVisible();
  await expect(page.getByRole('button', { name: /^Return units/ })).toHaveCount(0);
});
