import type { Page } from '@playwright/test';
import { expect, somebody, test } from './fixtures/shop';

/** The element with the focus, by what a screen reader would call it, and whether an eye could see it. */
async function focus(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    const own = getComputedStyle(element);
    // A hidden radio button or file input shows the focus on the box around it.
    const around = element.parentElement ? getComputedStyle(element.parentElement) : own;
    const ring = [own, around].some(
      (style) =>
        (style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2) ||
        style.boxShadow !== 'none',
    );
    const label =
      element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
        ? (element.labels?.[0]?.textContent ?? element.ariaLabel ?? '')
        : (element.ariaLabel ?? element.textContent ?? '');
    // The calendar button within a day's field has a ring of the browser's own, which no style tells of.
    const ownRing = element instanceof HTMLInputElement && element.type === 'date';
    const box = element.getBoundingClientRect();
    return {
      name: label.replace(/\s+/g, ' ').trim(),
      role: element.getAttribute('role') ?? element.tagName.toLowerCase(),
      seen:
        element !== document.body &&
        (ownRing || (element.matches(':focus-visible') && ring)) &&
        box.bottom > 0 &&
        box.top < innerHeight,
    };
  });
}

/** A new page begins with the keyboard at its content. */
async function arrive(page: Page, heading: string | RegExp): Promise<void> {
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);
  await expect(page.getByRole('main')).toBeFocused();
}

/** Tabs on until the element of that name has the focus; at every step the focus can be seen. */
async function tabTo(page: Page, name: string | RegExp, key = 'Tab'): Promise<void> {
  const passed: string[] = [];
  const fits = (at: string) => (typeof name === 'string' ? at === name : name.test(at));
  for (let step = 0; step < 80; step += 1) {
    await page.keyboard.press(key);
    let now = await focus(page);
    passed.push(now.name);
    // What slides into sight when it gets the focus takes a moment.
    await expect
      .poll(
        async () => {
          now = await focus(page);
          return now.seen;
        },
        { message: `the focus shows on ${now.role} "${now.name}"`, timeout: 3000 },
      )
      .toBe(true);
    if (fits(now.name)) return;
  }
  throw new Error(`Tab never came to ${name}: ${passed.join(' > ')}`);
}

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
