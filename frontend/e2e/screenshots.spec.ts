import type { Page } from '@playwright/test';
import { withoutFirstData } from './fixtures/axe';
import { linkFor } from './fixtures/emails';
import { failDeliveries } from './fixtures/failed-deliveries';
import { publicScreens } from './fixtures/screens';
import { expect, fillBilling, fillCard, test } from './fixtures/shop';
import { shoot, shootDialog, visit } from './fixtures/shots';

/* Every screen, its dialogs and states, 1440 and 390 px wide, light and dark, into SCREENSHOT_DIR. */

/** A list while its call is under way, and after it failed. */
async function visitStates(page: Page, path: string, call: RegExp, name: string): Promise<void> {
  await withoutFirstData(page, path);
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route(call, async (route) => {
    await held;
    await route.fulfill({ status: 503, body: '' });
  });
  await page.goto(path);
  const main = page.getByRole('main');
  await expect(main.getByRole('status', { name: /^Loading/ }).first()).toBeVisible();
  await shootDialog(page, `${name}-loading`);
  release();
  await expect(main.getByRole('button', { name: 'Retry' }).first()).toBeVisible({
    timeout: 20_000,
  });
  await shoot(page, `${name}-failed`);
  await page.unrouteAll();
}

/** One of each kind of trouble with money, which a sandbox does not make. */
const matters = (
  [
    ['mismatched', false, false, null],
    ['refundFailed', false, true, 'expired_or_canceled_card'],
    ['refundedElsewhere', true, false, null],
    ['disputed', false, false, 'fraudulent'],
    ['disputeLost', true, false, 'product_not_received'],
  ] as const
).map(([kind, shipped, cancelled, reason], nth) => ({
  kind,
  id: `matter-${nth}`,
  orderId: '01900000-0000-7000-8000-000000000000',
  productName: '312 mm front brake disc pair, vented',
  name: 'Robin Vale',
  email: 'robin.vale@workshop.example.com',
  transactionId: 'pi_3PxDrivelineAttention0001',
  amount: 6499.5,
  total: 12_999,
  shipped,
  cancelled,
  reason,
  since: '2026-11-21T10:00:00Z',
}));

test('visitors', async ({ page, consoleErrors }) => {
  consoleErrors.allow(410, /\/auth\//);
  consoleErrors.allow(404, /\/no-such-page/);
  consoleErrors.allow(401, /\/auth\/login/);
  consoleErrors.allow(503, /\//);
  for (const { name, path } of publicScreens) await visit(page, path, name);
  await visit(page, '/shop?q=there+is+no+such+part', 'shop-nothing-found');
  await visitStates(page, '/shop', /\/products(\?|$)/, 'shop');
  await page.goto('/signup');
  await page.getByRole('button', { name: 'SIGNUP' }).click();
  await shoot(page, 'signup-with-errors');
  await page.goto('/login');
  await page.getByRole('main').getByLabel('Email', { exact: true }).fill('nobody@example.com');
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page.getByRole('main').getByRole('alert')).not.toBeEmpty();
  await shoot(page, 'login-refused');
  await page.goto('/forgot-password');
  await page.getByRole('main').getByLabel('Email', { exact: true }).fill('nobody@example.com');
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    "we've sent an email with a reset link",
  );
  await shoot(page, 'forgot-password-asked');
  await page.goto('/reset-password#token=used');
  await page.getByLabel('New password').fill('another-workshop-43');
  await page.getByRole('button', { name: 'Save new password' }).click();
  await expect(page.getByText('This link has expired or has already been used.')).toBeVisible();
  await shoot(page, 'reset-password-gone');
  await page.goto('/verify-email#token=used');
  await page.getByRole('button', { name: 'Confirm email' }).click();
  await expect(page.getByText('This link has expired or has already been used.')).toBeVisible();
  await shoot(page, 'verify-email-gone');
  await visit(page, '/verify-email', 'verify-email-half-a-link');
  await visit(page, '/no-such-page', 'not-found');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/');
  await page.getByRole('button', { name: 'Open menu' }).click();
  await shootDialog(page, 'menu');
});

test('customers', async ({ guest, adminApi, consoleErrors }) => {
  consoleErrors.allow(402, /\/sandbox/);
  consoleErrors.allow(404, /\/orders\//);
  consoleErrors.allow(409, /\/auth\/verification\/confirm/);
  consoleErrors.allow(503, /\//);
  const { page, client } = await guest('customer');
  await visit(page, '/dashboard/orderTable', 'order-table-empty');
  await visit(page, '/dashboard/myOrders', 'my-orders-empty');
  await visit(page, '/dashboard/profile', 'profile-not-confirmed');
  const stranger = (await guest('visitor')).page;
  await stranger.goto(await linkFor(client.email, '/verify-email'));
  await stranger.getByRole('button', { name: 'Confirm email' }).click();
  await expect(stranger.getByRole('button', { name: 'Take over the account' })).toBeVisible();
  await shoot(stranger, 'verify-email-not-shown');
  await page.goto(await linkFor(client.email, '/verify-email'));
  await page.getByRole('button', { name: 'Confirm email' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText('is confirmed');
  await shoot(page, 'verify-email-done');
  await visit(page, '/login?notice=google_password_gone&from=%2F', 'login-password-gone');
  await visit(page, '/dashboard/profile', 'profile-empty');
  await visitStates(page, '/dashboard/orderTable', /\/orders\?/, 'order-table');
  await visitStates(page, '/dashboard/myOrders', /\/orders\?/, 'my-orders');

  const products: { _id: string; name: string; availableQty: number; minOrder: number }[] =
    await client.done('GET', '/products');
  const wanted = products.filter((product) => product.availableQty >= product.minOrder).slice(0, 4);
  const [first, ...others] = wanted;
  if (!first) throw new Error('The shop has nothing to sell.');
  await page.goto(`/product/${first._id}`);
  await page.waitForLoadState('networkidle');
  await shoot(page, 'product');
  const dialog = await fillBilling(page);
  await shootDialog(page, 'billing-details');
  await dialog.getByLabel('Phone').fill('');
  await dialog.getByRole('button', { name: /^Order/ }).click();
  await shootDialog(page, 'billing-details-with-errors');
  await dialog.getByLabel('Phone').fill('555 0100');
  await dialog.getByRole('button', { name: /^Order/ }).click();
  await expect(page.getByRole('alert')).toContainText('Product added to my order');
  await shoot(page, 'product-ordered');
  const short = products.find((product) => product.availableQty < product.minOrder);
  if (short) await visit(page, `/product/${short._id}`, 'product-short');
  await visitStates(page, `/product/${first._id}`, /\/products\/[0-9a-f-]{36}$/, 'product');

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

  const orders: string[] = [];
  for (const product of others) orders.push(await client.order(product._id));
  const [waiting, shipped, cancelled] = orders;
  await client.pay(shipped ?? '');
  await adminApi.ship(shipped ?? '');
  await visit(page, `/dashboard/order/${waiting}`, 'order');
  await visit(page, `/dashboard/order/${shipped}`, 'order-shipped');
  await page.getByRole('button', { name: /^Return units/ }).click();
  await shootDialog(page, 'order-return');
  await page.getByRole('dialog').getByRole('button', { name: 'Ask for return' }).click();
  await shootDialog(page, 'order-return-with-errors');
  await page.keyboard.press('Escape');
  await client.done('POST', `/orders/${shipped}/returns`, { reason: 'does_not_fit', units: 5 });
  await visit(page, `/dashboard/order/${shipped}`, 'order-return-requested');
  const back = (await guest('admin')).page;
  await visit(back, `/dashboard/order/${shipped}`, 'admin-order-return');
  await back.getByRole('button', { name: /^Accept return/ }).click();
  await shootDialog(back, 'admin-accept-return');
  await back.keyboard.press('Escape');
  await back.getByRole('button', { name: /^Decline/ }).click();
  await shootDialog(back, 'admin-decline-return');
  await back.keyboard.press('Escape');
  await visit(back, '/dashboard/attention', 'admin-attention-return');
  await client.done('DELETE', `/orders/${cancelled}`);
  await visit(page, `/dashboard/order/${cancelled}`, 'order-cancelled');
  await visit(page, '/dashboard/order/01900000-0000-7000-8000-000000000000', 'order-not-there');

  await visit(page, '/dashboard/orderTable', 'order-table');
  await visit(page, '/dashboard/myOrders', 'my-orders');
  await page.getByText('History').first().click();
  await expect(page.getByText(/^Ordered/).first()).toBeVisible();
  await shoot(page, 'my-orders-history');
  await page
    .getByRole('button', { name: /Cancel order/ })
    .first()
    .click();
  await shootDialog(page, 'cancel-order');
  await page.keyboard.press('Escape');

  await visit(page, '/dashboard/review', 'add-review');
  await page.getByRole('main').getByRole('button', { name: 'Add Review' }).click();
  await shoot(page, 'add-review-with-errors');
  await client.done('POST', '/info', {
    studyIn: 'Gear School',
    livesIn: 'Camshaft Bay',
    phone: '555 0100',
    github: 'https://github.example/robin',
    linkedin: 'https://linkedin.example/robin',
  });
  await visit(page, '/dashboard/profile', 'profile');
  await page.getByRole('button', { name: 'Update' }).click();
  await shootDialog(page, 'profile-update');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await shootDialog(page, 'profile-edit');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Change password' }).click();
  await shootDialog(page, 'profile-password');
  await page.keyboard.press('Escape');
  await visit(page, '/dashboard/blog', 'blog');
  await visit(page, '/dashboard/users', 'no-entry');
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/dashboard/blog');
  await page.getByRole('button', { name: 'Open dashboard menu' }).click();
  await shootDialog(page, 'dashboard-menu');
});

test('admins', async ({ guest, consoleErrors }) => {
  consoleErrors.allow(503, /\//);
  const { page } = await guest('admin');
  await visit(page, '/dashboard/overview', 'admin-overview');
  for (const choice of await page.getByText('Table', { exact: true }).all()) await choice.click();
  await shoot(page, 'admin-overview-tables');
  await visitStates(page, '/dashboard/overview', /\/overview\?days=/, 'admin-overview');
  await visitStates(
    page,
    '/dashboard/overview',
    /\/overview\/(top|payments)\?/,
    'admin-overview-parts',
  );

  await visit(page, '/dashboard/orders', 'admin-orders');
  await page
    .getByRole('button', { name: /^Approve Booking/ })
    .first()
    .click();
  await shootDialog(page, 'admin-ship-order');
  await page.keyboard.press('Escape');
  await visitStates(page, '/dashboard/orders', /\/allOrders(\?|$)/, 'admin-orders');
  await visit(page, '/dashboard/allOrderList', 'admin-all-order-list');
  await visit(page, '/dashboard/attention', 'admin-attention-empty');
  await page.route(/:\d+\/attention$/, (route) => route.fulfill({ json: matters }));
  await visit(page, '/dashboard/attention', 'admin-attention');
  await page
    .getByRole('button', { name: /^Record bank transfer/ })
    .first()
    .click();
  await shootDialog(page, 'admin-attention-bank-transfer');
  await page.keyboard.press('Escape');
  await page.unrouteAll();
  await visit(page, '/dashboard/review', 'admin-reviews');

  await visit(page, '/dashboard/catalog', 'admin-catalog');
  await visit(page, '/dashboard/catalog?list=synonyms', 'admin-catalog-synonyms');
  await visit(page, '/dashboard/manage', 'admin-manage');
  await page
    .getByRole('button', { name: /^Update/ })
    .first()
    .click();
  await shootDialog(page, 'admin-restock');
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /^Correct/ })
    .first()
    .click();
  await shootDialog(page, 'admin-correct-stock');
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .click();
  await shootDialog(page, 'admin-delete-product');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Import CSV' }).click();
  await shootDialog(page, 'admin-import');
  await page
    .getByRole('dialog')
    .locator('input[type=file]')
    .setInputFiles({
      name: 'parts.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(
        'name,description,category,price,availableQty,minOrder,img\r\n,Nameless,BRAKES,none,-1,50,x\r\n',
      ),
    });
  await expect(page.getByRole('dialog').getByRole('table')).toBeVisible();
  await shootDialog(page, 'admin-import-bad-rows');
  await page.keyboard.press('Escape');

  await visit(page, '/dashboard/addProduct', 'admin-add-product');
  await page.getByRole('main').getByRole('button', { name: 'Add Product' }).click();
  await shoot(page, 'admin-add-product-with-errors');
  await visit(page, '/dashboard/users', 'admin-users');
  await visit(page, '/dashboard/users/customer@example.com', 'admin-customer');
  await page.goto('/dashboard/users');
  await page.getByLabel('Search').fill('customer@example.com');
  await page.getByRole('button', { name: 'Remove User customer@example.com' }).click();
  await shootDialog(page, 'admin-remove-user');

  await visit(page, '/dashboard/audit', 'admin-audit');
  await page.getByRole('list', { name: 'Audit trail entries' }).locator('summary').first().click();
  await shoot(page, 'admin-audit-entry');

  await visit(page, '/dashboard/deliveries', 'admin-deliveries-empty');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await expect(page.getByText('Choose at least one event')).toBeVisible();
  await shoot(page, 'admin-deliveries-with-errors');
  await page.getByLabel('Endpoint URL').fill('https://erp.example.com/hooks/driveline');
  await page.getByLabel('Order refunded').check();
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await expect(page.getByLabel('Secret')).toHaveValue(/^whsec_/);
  await shootDialog(page, 'admin-deliveries-secret');
  await page.keyboard.press('Escape');
  await visitStates(
    page,
    '/dashboard/deliveries',
    /\/(outbox\?|webhook-endpoints$)/,
    'admin-deliveries',
  );
  await failDeliveries(page);
  await visit(page, '/dashboard/deliveries', 'admin-deliveries');
  await page.getByRole('button', { name: /^Log/ }).first().click();
  await expect(page.getByRole('dialog').getByRole('table')).toBeVisible();
  await shootDialog(page, 'admin-deliveries-log');
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .click();
  await shootDialog(page, 'admin-deliveries-delete');
});
