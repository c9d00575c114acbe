import { randomUUID } from 'node:crypto';
import { expect, happenings, test } from '../fixtures/serve/world';
import { fillBilling, fillCard } from '../fixtures/shop';

test('somebody signs up with Google, buys 50, pays with 3-D Secure, and sees them shipped', async ({
  page,
  guest,
  adminApi,
  world,
}) => {
  const email = `whole.${randomUUID().slice(0, 8)}@example.com`;
  world.google.know({ email, name: 'Robin Vale', verified: true });
  const product = await adminApi.addProduct({ name: 'Disc of the Whole Journey' });

  await page.goto('/signup');
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page).toHaveURL(`${world.url}/`);

  await page.goto('/shop?q=whole+journey');
  await page.getByRole('link', { name: 'Purchase Disc of the Whole Journey' }).click();
  await expect(page).toHaveURL(new RegExp(`/product/${product}$`));
  const dialog = await fillBilling(page);
  await expect(dialog.getByLabel('Name')).toHaveValue('Robin Vale');
  await expect(dialog.getByLabel('Email')).toHaveValue(email);
  await dialog.getByRole('button', { name: /^Order 50/ }).click();
  await page.getByRole('link', { name: 'Pay now' }).click();

  await fillCard(page, '4000 0027 6000 3184');
  await page.getByRole('button', { name: /^Pay/ }).click();
  const bank = page.frameLocator('iframe[title="3-D Secure"]');
  await bank.getByRole('button', { name: 'Complete' }).click();
  await expect(page.getByRole('alert')).toContainText('Payment Successful');

  const { page: desk } = await guest('admin');
  await desk.goto('/dashboard/orders');
  await desk.getByLabel('Search').fill(email);
  await expect(desk.getByRole('article')).toHaveCount(1);
  await desk.getByRole('button', { name: /^Approve Booking/ }).click();
  await desk.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await expect(desk.getByRole('alert')).toContainText('Product Shipped...!!!');

  await page.getByRole('link', { name: 'My orders' }).click();
  await page.getByRole('link', { name: 'Order Table' }).click();
  const row = page.getByRole('row').nth(1);
  await expect(row).toContainText('Shipped');
  await expect(row).toContainText('Paid');
  await expect(row).toContainText('Disc of the Whole Journey');

  const [order] = await adminApi.done('GET', `/allOrders?q=${encodeURIComponent(email)}`);
  expect(await happenings(adminApi, order._id)).toEqual(['ordered', 'paid', 'shipped']);
  const intent = await world.backend.paymentIntents.retrieve(order.payment.transactionId);
  expect(intent).toMatchObject({ amount: 645_000, amount_received: 645_000, status: 'succeeded' });
});
