import { expectAnswers, expectLogin } from '../fixtures/roles';
import { expect, fillCard, test } from '../fixtures/shop';

test('a visitor pays for nothing', async ({ guest, office }) => {
  const owner = (await guest('customer')).caller;
  const orderId = await owner.order(await office.addProduct());
  const { page, caller } = await guest('visitor');
  await expectLogin(page, `/dashboard/payment/${orderId}`);
  const payment = { product: orderId, transactionId: 'pi_made_up', status: 'paid' };
  await expectAnswers(caller, [
    ['POST', '/create-payment-intent', 401, { price: 6450, orderId }],
    ['PATCH', `/orders/${orderId}`, 401, { payment }],
  ]);
});

test('a customer pays for their own order', async ({ guest, office }) => {
  const { page, caller } = await guest('customer');
  const orderId = await caller.order(await office.addProduct());
  await page.goto('/dashboard/orderTable');
  await page.getByRole('link', { name: /^Pay Now/ }).click();
  await fillCard(page, '4242424242424242');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(page.getByRole('alert')).toContainText('Payment Successful');
  await expect.poll(async () => (await caller.done('GET', `/orders/${orderId}`)).paid).toBe(true);
});

for (const role of ['customer', 'admin'] as const) {
  test(`signed in as ${role}: nobody pays for another's order, or says that it was paid`, async ({
    guest,
    office,
  }) => {
    const owner = (await guest('customer')).caller;
    const orderId = await owner.order(await office.addProduct());
    const { caller } = await guest(role);
    const payment = { product: orderId, transactionId: 'pi_made_up', status: 'paid' };
    await expectAnswers(caller, [
      ['POST', '/create-payment-intent', 404, { price: 6450, orderId }],
      ['PATCH', `/orders/${orderId}`, 404, { payment }],
    ]);
    expect((await owner.done('GET', `/orders/${orderId}`)).paid).toBe(false);
  });
}

test("the payment page takes no card from an admin for a customer's order", async ({
  guest,
  office,
  complaints,
}) => {
  complaints.allow(404, /\/create-payment-intent/);
  const owner = (await guest('customer')).caller;
  const orderId = await owner.order(await office.addProduct());
  const { page } = await guest('admin');
  await page.goto(`/dashboard/payment/${orderId}`);
  await expect(page.getByRole('heading', { name: 'Payment', level: 1 })).toBeVisible();
  await expect(page.getByRole('main').getByRole('alert')).toBeVisible();
  await expect(page.getByLabel('Card number')).toHaveCount(0);
});
