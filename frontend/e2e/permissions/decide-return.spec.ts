import { expectAnswers } from '../fixtures/roles';
import { expect, test } from '../fixtures/shop';

const unknown = '01890000-0000-7000-8000-000000000000';

test('neither a visitor nor a customer decides a return', async ({ guest }) => {
  for (const [role, status] of [
    ['visitor', 401],
    ['customer', 403],
  ] as const) {
    const { client } = await guest(role);
    await expectAnswers(client, [
      ['POST', `/returns/${unknown}/accept`, status],
      ['POST', `/returns/${unknown}/decline`, status],
    ]);
  }
});

test('an admin declines a return, accepts the next one, and its units are for sale again', async ({
  guest,
  adminApi,
}) => {
  const customer = await guest('customer');
  const product = await adminApi.addProduct({ availableQty: 500 });
  const order = await customer.client.order(product);
  await customer.client.pay(order);
  await adminApi.done('PUT', `/orders/status/${order}`);
  const ask = { reason: 'does_not_fit', units: 10, details: 'Two millimeters too wide.' };
  await customer.client.done('POST', `/orders/${order}/returns`, ask);

  const { page } = await guest('admin');
  await page.goto('/dashboard/attention');
  const matter = page.getByRole('listitem').filter({ hasText: customer.client.email });
  await expect(matter).toContainText('Two millimeters too wide.');
  await matter.getByRole('link', { name: /^Answer this return/ }).click();
  await page.getByRole('button', { name: /^Decline/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Answer').fill('These discs were used.');
  await dialog.getByRole('button', { name: 'Decline return' }).click();
  await expect(page.getByRole('alert')).toContainText('Return declined');
  await customer.page.goto(`/dashboard/order/${order}`);
  await expect(customer.page.getByText('Our answer: These discs were used.')).toBeVisible();

  await customer.client.done('POST', `/orders/${order}/returns`, ask);
  await page.reload();
  await page.getByRole('button', { name: /^Accept return/ }).click();
  await page.getByRole('dialog').getByLabel('Put 10 units back in stock').check();
  await page.getByRole('dialog').getByRole('button', { name: 'Accept and refund' }).click();
  await expect(page.getByRole('alert')).toContainText('Return accepted');
  await expect(page.getByText(/^Return of 10 units accepted/)).toBeVisible();
  expect((await adminApi.done('GET', `/products/${product}`)).availableQty).toBe(460);
  await customer.page.reload();
  await expect(customer.page.getByText(/refunded$/).first()).toBeVisible();
});
