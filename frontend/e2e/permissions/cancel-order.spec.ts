import { expectAnswers, expectLogin } from '../fixtures/roles';
import { expect, test } from '../fixtures/shop';

test('a visitor cancels nothing', async ({ guest, office }) => {
  const owner = (await guest('customer')).caller;
  const order = await owner.order(await office.addProduct());
  const { page, caller } = await guest('visitor');
  await expectLogin(page, '/dashboard/myOrders');
  await expectAnswers(caller, [['DELETE', `/orders/${order}`, 401]]);
});

test("a customer cancels their unpaid order, not a paid one, and not another's", async ({
  guest,
  office,
}) => {
  const product = await office.addProduct({ availableQty: 500 });
  const { page, caller } = await guest('customer');
  const paid = await caller.order(product);
  await caller.pay(paid);
  await caller.order(product);
  await page.goto('/dashboard/myOrders');
  await expect(page.getByRole('button', { name: /^Cancel order/ })).toHaveCount(1);
  await expect(page.getByRole('button', { name: 'Paid' })).toBeDisabled();
  await page.getByRole('button', { name: /^Cancel order/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('article')).toHaveCount(1);
  expect((await caller.done('GET', `/products/${product}`)).availableQty).toBe(450);

  const others = await (await guest('customer')).caller.order(product);
  await expectAnswers(caller, [
    ['DELETE', `/orders/${paid}`, 409],
    ['DELETE', `/orders/${others}`, 404],
  ]);
});

test('an admin deletes any unpaid order, and no paid one', async ({ guest, office }) => {
  const product = await office.addProduct({ availableQty: 500 });
  const owner = (await guest('customer')).caller;
  const paid = await owner.order(product);
  await owner.pay(paid);
  const { page, caller } = await guest('admin');
  await page.goto('/dashboard/orders');
  await page.getByLabel('Search').fill(owner.email);
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(page.getByRole('button', { name: /^Delete Order/ })).toBeDisabled();
  await expectAnswers(caller, [['DELETE', `/orders/${paid}`, 409]]);

  await owner.order(product);
  await page.reload();
  await page.getByLabel('Search').fill(owner.email);
  await expect(page.getByRole('article')).toHaveCount(2);
  await page.getByRole('button', { name: /^Delete Order/, disabled: false }).click();
  const question = page.getByRole('dialog');
  await expect(question.getByText('Are you sure')).toHaveText(
    'Are you sure\nYou want to delete this order..!?',
    { useInnerText: true },
  );
  await question.getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('article')).toHaveCount(1);
});
