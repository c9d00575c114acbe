import { expectAnswers, expectLogin } from '../fixtures/roles';
import { expect, fillCard, test } from '../fixtures/shop';

test('a visitor pays for nothing', async ({ guest, adminApi }) => {
  const owner = (await guest('customer')).client;
  const orderId = await owner.order(await adminApi.addProduct());
  const { page, client } = await guest('visitor');
  await expectLogin(page, `/dashboard/payment/${orderId}`);
  const payment = { product: orderId, transactionId: 'pi_made_up', status: 'paid' };
  await expectAnswers(client, [
    ['POST', '/create-payment-intent', 401, { price: 6450, orderId }],
    ['PATCH', `/orders/${orderId}`, 401, { payment }],
  ]);
});

test('a customer pays for their own order', async ({ guest, adminApi }) => {
  const { page, client } = await guest('customer');
  const orderId = await client.order(await adminApi.addProduct());
  await page.goto('/dashboard/orderTable');
  await page.getByRole('link', { name: /^Pay Now/ }).click();
  await fillCard(page, '4242424242424242');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(page.getByRole('alert')).toContainText('Payment Successful');
  await expect.poll(async () => (await client.done('GET', `/orders/${orderId}`)).paid).toBe(true);
});

for (const role of ['customer', 'admin'] as const) {
  test(`signed in as ${role}: nobody pays for another's order, or says that it was paid`, async ({
    guest,
    adminApi,
  }) => {
    const owner = (await guest('customer')).client;
    const orderId = await owner.order(await adminApi.addProduct());
    const { client } = await guest(role);
    const payment = { product: orderId, transactionId: 'pi_made_up', status: 'paid' };
    await expectAnswers(client, [
      ['POST', '/create-payment-intent', 404, { price: 6450, orderId }],
      ['PATCH', `/orders/${orderId}`, 404, { payment }],
    ]);
    expect((await owner.done('GET', `/orders/${orderId}`)).paid).toBe(false);
  });
}

test("the payment page takes no card from an admin for a customer's order", async ({
  guest,
  adminApi,
  consoleErrors,
}) => {
  consoleErrors.allow(404, /\/create-payment-intent/);
  const owner = (await guest('customer')).client;
  const orderId = await owner.order(await adminApi.addProduct());
  const { page } = await guest('admin');
  await page.goto(`/dashboard/payment/${orderId}`);
  await expect(page.getByRole('heading', { name: 'Payment', level: 1 })).toBeVisible();
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  await expect(page.getByLabel('Card number')).toHaveCount(0);
});
