import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { admin, dress, expect, fillBilling, logIn, signUp, somebody, test } from './shop';

const themes = ['light', 'dark'] as const;
const widths = [390, 768, 1440] as const;

async function check(page: Page, what: string): Promise<void> {
  for (const colorScheme of themes) {
    for (const width of widths) {
      await dress(page, { colorScheme, width, height: 900 });
      const { violations } = await new AxeBuilder({ page }).analyze();
      const found = violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`,
      );
      expect.soft(found, `${what}, ${colorScheme}, ${width} px`).toEqual([]);
    }
  }
  for (const width of [320, ...widths]) {
    await dress(page, { colorScheme: 'light', width, height: 900 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect.soft(overflow, `${what} scrolls sideways at ${width} px`).toBeLessThanOrEqual(0);
  }
}

test.describe.configure({ timeout: 180_000 });

test('the screens of a purchase', async ({ page, office, complaints }) => {
  complaints.allow(402, /\/sandbox/);
  const id = await office.addProduct({ availableQty: 130 });
  await signUp(page, somebody());
  await page.goto(`/product/${id}`);
  await expect(page.getByRole('button', { name: 'Purchase' })).toBeVisible();
  await check(page, 'product');

  const dialog = await fillBilling(page);
  await check(page, 'Billing Details');
  await dialog.getByLabel('Phone').fill('');
  await dialog.getByRole('button', { name: /^Order/ }).click();
  await expect(dialog.getByText('Phone is required')).toBeVisible();
  await check(page, 'Billing Details with an error');
  await dialog.getByLabel('Phone').fill('555 0100');
  await dialog.getByRole('button', { name: /^Order/ }).click();
  await expect(page.getByRole('alert')).toContainText('Product added to my order');
  await check(page, 'product after the order');

  await page.goto('/dashboard/orderTable');
  await expect(page.getByRole('table')).toBeVisible();
  await check(page, 'order table');
  await page.goto('/dashboard/myOrders');
  await page.getByText('History').click();
  await expect(page.getByText('Ordered: 50')).toBeVisible();
  await check(page, 'my orders');
  await page.getByRole('button', { name: /Cancel order/ }).click();
  await check(page, 'the question before cancelling');
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: /^Payment/ }).click();
  await page.getByLabel('Card number').fill('4000000000000002');
  await page.getByLabel('Expiry date').fill('12/34');
  await page.getByLabel('CVC').fill('123');
  await check(page, 'payment');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(page.getByRole('alert')).toHaveText('Your card was declined.');
  await check(page, 'payment, refused');
  await page.getByLabel('Card number').fill('4242424242424242');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(page.getByRole('alert')).toContainText('Payment Successful');
  await check(page, 'payment, successful');
});

test('the screens of the back office', async ({ page }) => {
  await logIn(page, admin);
  await page.goto('/dashboard/orders');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/Total Orders|No Orders Yet/);
  await check(page, 'orders');
  await page.goto('/dashboard/allOrderList');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/My Orders: /);
  await check(page, 'all order list');
});

const lists = [
  { path: '/dashboard/orderTable', call: /\/orders\?/, failed: 'Your orders did not load' },
  { path: '/dashboard/myOrders', call: /\/orders\?/, failed: 'Your orders did not load' },
];

for (const { path, call, failed } of lists) {
  test(`${path} while it loads, empty, and when it failed`, async ({ page, complaints }) => {
    complaints.allow(503, /\/orders/);
    await signUp(page, somebody());

    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route(call, async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(path);
    await expect(page.getByRole('status', { name: 'Loading orders' })).toBeVisible();
    await check(page, `${path}, loading`);
    release();
    await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible();
    await check(page, `${path}, empty`);

    await page.unroute(call);
    await page.route(call, (route) => route.fulfill({ status: 503, body: '' }));
    await page.reload();
    await expect(page.getByRole('heading', { name: failed })).toBeVisible({ timeout: 20_000 });
    await check(page, `${path}, failed`);
    await page.unroute(call);
    await page.getByRole('button', { name: 'Retry' }).click();
    await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible();
  });
}
