import { arrive, focus, tabTo } from './fixtures/keyboard';
import { expect, somebody, test } from './fixtures/shop';

test('a purchase from Home to Payment Successful needs no pointer', async ({
  page,
  adminApi,
  consoleErrors,
}) => {
  // Whatever has the focus is looked ahead to, and another journey may just have removed it.
  consoleErrors.allow(404, /\/products\//);
  const name = `Part for Ten Fingers ${Date.now()}`;
  await adminApi.addProduct({ name, availableQty: 500, price: 20 });
  const customer = somebody('Robin Keys');
  const { keyboard } = page;

  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Top Hot Deals' })).toBeVisible();
  await tabTo(page, 'Skip to content');
  await tabTo(page, 'Login');
  await keyboard.press('Enter');
  await arrive(page, 'Login');
  await tabTo(page, 'Create New Account');
  await keyboard.press('Enter');
  await arrive(page, 'Sign Up');
  await tabTo(page, 'Name');
  await keyboard.type(customer.name);
  await tabTo(page, 'Email');
  await keyboard.type(customer.email);
  await tabTo(page, 'Password');
  await keyboard.type(customer.password);
  await keyboard.press('Enter');
  await arrive(page, /Turbocharger/);

  await tabTo(page, 'Shop');
  await keyboard.press('Enter');
  await arrive(page, 'All available Deals');
  await tabTo(page, 'Search');
  await keyboard.type(name);
  await expect(page.getByRole('article')).toHaveCount(1);
  await tabTo(page, `Purchase ${name}`);
  await keyboard.press('Enter');
  await arrive(page, name);

  // Esc closes the form and gives the focus back to what opened it.
  await tabTo(page, 'Purchase');
  await keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Billing Details' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  await keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('button', { name: 'Purchase' })).toBeFocused();
  await expect.poll(async () => (await focus(page)).seen).toBe(true);

  await keyboard.press('Enter');
  await tabTo(page, 'Phone');
  await keyboard.type('555 0100');
  await tabTo(page, 'Address');
  await keyboard.type('1 Workshop Lane');
  await tabTo(page, 'Quantity');
  await keyboard.press('ArrowUp');
  await expect(dialog.getByLabel('Price')).toHaveValue('$1,020.00');
  await tabTo(page, /^Order 51 for/);
  await keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Product added to my order');

  await tabTo(page, 'Pay now', 'Shift+Tab');
  await keyboard.press('Enter');
  await arrive(page, 'Payment');
  // The heading is there before the order is.
  await expect(page.getByRole('button', { name: 'Buy Now' })).toBeVisible();
  await tabTo(page, 'Buy Now');
  await keyboard.press('Enter');
  await expect(page.getByLabel('Card number')).toBeFocused();
  await expect.poll(async () => (await focus(page)).seen).toBe(true);
  await keyboard.type('4242424242424242');
  await tabTo(page, 'Expiry date');
  await keyboard.type('1234');
  await tabTo(page, 'CVC');
  await keyboard.type('123');
  await tabTo(page, /^Pay \$1,020\.00/);
  await keyboard.press('Space');
  await expect(page.getByRole('alert')).toContainText('Payment Successful');
  await expect(page.getByRole('heading', { name: 'Payment Successful' })).toBeFocused();
});

test('an admin ships an order without a pointer', async ({ guest, adminApi }) => {
  const customer = (await guest('customer', somebody('Robin Waiting'))).client;
  const order = await customer.order(await adminApi.addProduct());
  await customer.pay(order);
  const { page } = await guest('admin');
  const { keyboard } = page;

  await page.goto('/dashboard');
  await expect(
    page.getByRole('complementary').getByRole('link', { name: 'All Users' }),
  ).toBeVisible();
  await tabTo(page, 'Orders');
  await keyboard.press('Enter');
  await arrive(page, /^Total Orders/);
  await tabTo(page, 'Search');
  await keyboard.type(customer.email);
  await expect(page.getByRole('article')).toHaveCount(1);

  await tabTo(page, /^Approve Booking/);
  await keyboard.press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Approve Booking' });
  await expect(question).toContainText('Ship This Boat..!?');
  await keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(page.getByRole('button', { name: /^Approve Booking/ })).toBeFocused();

  await keyboard.press('Enter');
  await tabTo(page, 'Yes');
  await keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Product Shipped...!!!');
  await tabTo(page, 'Dismiss message', 'Shift+Tab');
  await keyboard.press('Enter');
  await expect(page.getByRole('alert')).toHaveCount(0);
  expect((await customer.done('GET', `/orders/${order}`)).status).toBe('paid');
});

test('beside a long page every link of the side menu comes into sight', async ({ guest }) => {
  const { page } = await guest('admin');
  await page.setViewportSize({ width: 1440, height: 600 });
  await page.goto('/dashboard/overview');
  const last = page.getByRole('complementary').getByRole('link').last();
  await last.focus();
  await expect(last).toBeInViewport({ ratio: 1 });
});

test('the menu of a phone opens, keeps the focus inside, and gives it back', async ({ guest }) => {
  const { page } = await guest('customer');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/shop');
  await expect(page.getByRole('article').first()).toBeVisible();
  await tabTo(page, 'Open menu');
  await page.keyboard.press('Enter');
  const menu = page.getByRole('dialog', { name: 'Menu' });
  await expect(menu).toBeVisible();
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press('Tab');
    const outside = await page.evaluate(
      () =>
        document.activeElement !== document.body &&
        document.activeElement?.closest('dialog') === null,
    );
    expect(outside, 'the focus stays in the menu').toBe(false);
  }
  await page.keyboard.press('Escape');
  await expect(menu).toBeHidden();
  await expect(page.getByRole('button', { name: 'Open menu' })).toBeFocused();
});
