import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { admin, dress, expect, fillBilling, fillCard, logIn, signUp, somebody, test } from './shop';

/** Every screen, 1440 and 390 px wide, light and dark, into SCREENSHOT_DIR. */
const folder = process.env.SCREENSHOT_DIR ?? 'screenshots';
const looks = [
  { width: 1440, height: 900, colorScheme: 'light' },
  { width: 1440, height: 900, colorScheme: 'dark' },
  { width: 390, height: 844, colorScheme: 'light' },
  { width: 390, height: 844, colorScheme: 'dark' },
] as const;

/** Scrolls through the page once, since pictures below the fold wait for that. */
async function loadPictures(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let y = 0; y < document.body.scrollHeight; y += 500) {
      window.scrollTo(0, y);
      await new Promise((done) => setTimeout(done, 40));
    }
    window.scrollTo(0, 0);
    // A picture off to the side of a carousel may never load; the others have two seconds.
    await Promise.race([
      Promise.all(Array.from(document.images, (image) => image.decode().catch(() => undefined))),
      new Promise((done) => setTimeout(done, 2000)),
    ]);
  });
}

async function shoot(page: Page, name: string, { fullPage = true } = {}): Promise<void> {
  for (const { width, height, colorScheme } of looks) {
    await dress(page, { width, height, colorScheme });
    if (fullPage) await loadPictures(page);
    await page.screenshot({
      path: join(folder, `${name}-${width}-${colorScheme}.png`),
      fullPage,
    });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
}

async function visit(page: Page, path: string, name: string): Promise<void> {
  await page.goto(path);
  await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
  await page.waitForLoadState('networkidle');
  await shoot(page, name);
}

test.beforeAll(() => {
  mkdirSync(folder, { recursive: true });
});

test('visitors', async ({ page, complaints }) => {
  complaints.allow(404, /\/no-such-page/);
  await visit(page, '/', 'home');
  await visit(page, '/shop', 'shop');
  await visit(page, '/about', 'about');
  await visit(page, '/login', 'login');
  await visit(page, '/signup', 'signup');
  await visit(page, '/no-such-page', 'not-found');
});

test('customers', async ({ page, complaints }) => {
  complaints.allow(402, /\/sandbox/);
  await signUp(page, somebody());
  await visit(page, '/dashboard/orderTable', 'order-table-empty');

  const products: { _id: string; name: string; availableQty: number; minOrder: number }[] =
    await page.evaluate(async () => (await fetch('/products')).json());
  const wanted = products.filter((product) => product.availableQty >= product.minOrder).slice(0, 3);
  for (const [place, product] of wanted.entries()) {
    await page.goto(`/product/${product._id}`);
    await page.waitForLoadState('networkidle');
    if (place === 0) await shoot(page, 'product');
    const dialog = await fillBilling(page);
    if (place === 0) await shoot(page, 'billing-details', { fullPage: false });
    await dialog.getByRole('button', { name: /^Order/ }).click();
    await expect(page.getByRole('alert')).toContainText('Product added to my order');
    if (place === 0) await shoot(page, 'product-ordered');
  }
  const short = products.find((product) => product.availableQty < product.minOrder);
  if (short) await visit(page, `/product/${short._id}`, 'product-short');

  await page.goto('/dashboard/myOrders');
  await page
    .getByRole('link', { name: /^Payment/ })
    .first()
    .click();
  await page.waitForLoadState('networkidle');
  await shoot(page, 'payment');
  await fillCard(page, '4000000000000002');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(page.getByRole('alert')).toHaveText('Your card was declined.');
  await shoot(page, 'payment-refused');
  await page.getByLabel('Card number').fill('4242424242424242');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(page.getByRole('alert')).toContainText('Payment Successful');
  await shoot(page, 'payment-successful');

  await visit(page, '/dashboard/orderTable', 'order-table');
  await visit(page, '/dashboard/myOrders', 'my-orders');
  await page
    .getByRole('button', { name: /Cancel order/ })
    .first()
    .click();
  await shoot(page, 'cancel-order', { fullPage: false });
  await page.keyboard.press('Escape');
  await visit(page, '/dashboard/review', 'add-review');
  await visit(page, '/dashboard/profile', 'profile');
  await visit(page, '/dashboard/blog', 'blog');
});

test('admins', async ({ page }) => {
  await logIn(page, admin);
  await visit(page, '/dashboard/orders', 'admin-orders');
  await page
    .getByRole('button', { name: /^Approve Booking/ })
    .first()
    .click();
  await shoot(page, 'admin-ship-order', { fullPage: false });
  await page.keyboard.press('Escape');
  await visit(page, '/dashboard/allOrderList', 'admin-all-order-list');
  await visit(page, '/dashboard/manage', 'admin-manage');
  await visit(page, '/dashboard/addProduct', 'admin-add-product');
  await visit(page, '/dashboard/users', 'admin-users');
});
