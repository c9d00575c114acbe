import { expectAnswers, expectLogin } from '../fixtures/roles';
import { expect, test } from '../fixtures/shop';

test('a visitor cancels nothing', async ({ guest, adminApi }) => {
  const owner = (await guest('customer')).client;
  const order = await owner.order(await adminApi.addProduct());
  const { page, client } = await guest('visitor');
  await expectLogin(page, '/dashboard/myOrders');
  await expectAnswers(client, [['DELETE', `/orders/${order}`, 401]]);
});

test("a customer cancels their unpaid order, not a paid one, and not another's", async ({
  guest,
  adminApi,
}) => {
  const product = await adminApi.addProduct({ availableQty: 500 });
  const { page, client } = await guest('customer');
  const paid = await client.order(product);
  await client.pay(paid);
  await client.order(product);
  await page.goto('/dashboard/myOrders');
  await expect(page.getByRole('button', { name: /^Cancel order/ })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Paid' })).toBeDisabled();
  await page.getByRole('button', { name: /^Cancel order/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('article')).toHaveCount(1);
  expect((await client.done('GET', `/products/${product}`)).availableQty).toBe(450);

  const others = await (await guest('customer')).client.order(product);
  await expectAnswers(client, [
    ['DELETE', `/orders/${paid}`, 409],
    ['DELETE', `/orders/${others}`, 404],
  ]);
});

test('an admin deletes any unpaid order, and no paid one', async ({ guest, adminApi }) => {
  const product = await adminApi.addProduct({ availableQty: 500 });
  const owner = (await guest('customer')).client;
  const paid = await owner.order(product);
  await owner.pay(paid);
  const { page, client } = await guest('admin');
  await page.goto('/dashboard/orders');
  await page.getByLabel('Search').fill(owner.email);
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(page.getByRole('button', { name: /^Delete Order/ })).toBeDisabled();
  await expectAnswers(client, [['DELETE', `/orders/${paid}`, 409]]);

  await owner.order(product);
  await page.reload();
  await page.getByLabel('Search').fill(owner.email);
  await expect(page.getByRole('article')).toHaveCount(2);
  await page.getByRole('button', { name: /^Delete Order/, disabled: false }).click();
  const question = page.getByRole('alertdialog');
  await expect(question.getByText('Are you sure')).toHaveText(
    'Are you sure\nYou want to delete this order..!?',
    { useInnerText: true },
  );
  await question.getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('article')).toHaveCount(1);
});
