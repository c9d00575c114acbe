import { expectAccessible } from './fixtures/axe';
import { expect, somebody, test } from './fixtures/shop';

test('an admin gets to an order, its buyer and an action by a few letters', async ({
  guest,
  adminApi,
}) => {
  const name = `Palette Disc ${Date.now()}`;
  const product = await adminApi.addProduct({ name });
  const customer = (await guest('customer', somebody('Robin Found'))).client;
  const order = await customer.order(product);
  const { number } = await customer.done('GET', `/orders/${order}`);
  const { page } = await guest('admin');
  const { keyboard } = page;

  await page.goto('/');
  await keyboard.press('Control+k');
  const field = page.getByRole('combobox', { name: 'Search' });
  await expect(field).toBeFocused();
  // Faster than the answer: Enter waits for it.
  await keyboard.type(number);
  await keyboard.press('Enter');
  await expect(page).toHaveURL(`/dashboard/order/${order}`);
  await expect(page.getByRole('button', { name: /^Approve Booking/ })).toBeVisible();

  await keyboard.press('Control+k');
  await keyboard.type('approve');
  await expect(page.getByRole('option', { selected: true })).toHaveText(/^Approve Booking/);
  await keyboard.press('Enter');
  await expect(page.getByRole('alertdialog')).toContainText('Ship This Boat..!?');
  // A question has the screen to itself.
  await keyboard.press('Control+k');
  await expect(field).toBeHidden();
  await keyboard.press('Escape');
  await expect(page.getByRole('button', { name: /^Approve Booking/ })).toBeFocused();

  await keyboard.press('Control+k');
  await keyboard.type(customer.email);
  await page.getByRole('group', { name: 'People' }).getByRole('option').click();
  await expect(page).toHaveURL(`/dashboard/users/${encodeURIComponent(customer.email)}`);

  await keyboard.press('Control+k');
  await expect(page.getByRole('group', { name: 'Recent' }).getByRole('option')).toHaveCount(2);
  await keyboard.press('Escape');
  await expect(field).toBeHidden();
});

test('no key of the orders does anything behind it', async ({ guest, adminApi }) => {
  const customer = (await guest('customer', somebody('Robin Behind'))).client;
  const order = await customer.order(await adminApi.addProduct());
  await customer.pay(order);
  const { page } = await guest('admin');
  await page.goto(`/dashboard/orders?q=${customer.email}`);
  await expect(page.getByRole('article')).toHaveCount(1);
  await page.keyboard.press('?');
  await page.getByRole('button', { name: /^Search and go anywhere/ }).click();
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused();
  await page.keyboard.type('jxas');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('alertdialog')).toHaveCount(0);
  await expect(page.getByRole('checkbox', { name: /^Select order/ })).not.toBeChecked();
});

test('has no fault that axe knows of, empty or with what was found', async ({ guest }) => {
  test.setTimeout(240_000);
  const { page } = await guest('admin');
  await page.goto('/dashboard/manage');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused();
  await expectAccessible(page, 'the palette');
  await page.keyboard.type('disc');
  await expect(page.getByRole('group', { name: 'Parts' })).toBeVisible();
  await expectAccessible(page, 'the palette with parts');
});
