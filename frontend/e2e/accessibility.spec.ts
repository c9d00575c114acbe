import type { Page } from '@playwright/test';
import { expectAccessible, expectStatesAccessible } from './fixtures/axe';
import { failDeliveries } from './fixtures/failed-deliveries';
import { publicScreens } from './fixtures/screens';
import { expect, fillBilling, fillCard, test } from './fixtures/shop';

test.describe.configure({ mode: 'parallel', timeout: 300_000 });
// A finding names its rule, its element, its theme and its width; a record of every variant would add nothing but time.
test.use({ trace: 'off' });

/** The calls that these journeys let fail on purpose. */
const failing = /\//;

const h1 = (page: Page) => page.getByRole('heading', { level: 1 });

test('Home, in every state', async ({ page, consoleErrors }) => {
  consoleErrors.allow(503, failing);
  await expectStatesAccessible(page, {
    path: '/',
    call: /\/(products|reviews)(\?|$)/,
    nothing: [],
    full: () => expect(page.getByRole('article').first()).toBeVisible(),
  });
});

test('the shop, in every state', async ({ page, consoleErrors }) => {
  consoleErrors.allow(503, failing);
  await expectStatesAccessible(page, {
    path: '/shop',
    call: /\/products(\?|$)/,
    nothing: [],
    full: () => expect(page.getByRole('article').first()).toBeVisible(),
  });
  await page.goto('/shop?q=there+is+no+such+part');
  await expect(page.getByRole('heading', { name: /^No parts match/ })).toBeVisible();
  await expectAccessible(page, '/shop, nothing found');
});

/** Home and the shop are seen in every state above. */
const otherScreens = publicScreens.filter(({ name }) => name !== 'home' && name !== 'shop');

for (const { path } of otherScreens) {
  test(`${path}, as it comes`, async ({ page }) => {
    await page.goto(path);
    await expect(h1(page)).toBeVisible();
    await expectAccessible(page, path);
  });
}

test('the other states of a visitor', async ({ page, consoleErrors }) => {
  consoleErrors.allow(404, /\/no-such-page/);
  consoleErrors.allow(401, /\/auth\/login/);
  await page.goto('/no-such-page');
  await expect(h1(page)).toHaveText('OPSS! PAGE NOT FOUND');
  await expectAccessible(page, '404');

  await page.goto('/signup');
  await page.getByRole('button', { name: 'SIGNUP' }).click();
  await expect(page.getByText('Name is required')).toBeVisible();
  await expectAccessible(page, '/signup with errors');

  await page.goto('/unsubscribe');
  const leave = page.getByRole('main').getByRole('button', { name: 'Unsubscribe' });
  await leave.click();
  await expect(page.getByText('Email is required')).toBeVisible();
  await expectAccessible(page, '/unsubscribe, refused');
  await page.getByRole('main').getByLabel('Email').fill('nobody@example.com');
  await leave.click();
  await expect(page.getByText(/won't send our newsletter to nobody@example.com/)).toBeVisible();
  await expectAccessible(page, '/unsubscribe, done');

  await page.goto('/login');
  await page.getByRole('main').getByLabel('Email', { exact: true }).fill('nobody@example.com');
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page.getByRole('main').getByRole('alert')).not.toBeEmpty();
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByText('Email is required').last()).toBeVisible();
  await expectAccessible(page, '/login and the newsletter, refused');
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/auth/login', async (route) => {
    await held;
    await route.continue();
  });
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page.getByText('Logging in')).toBeAttached();
  await expectAccessible(page, '/login while it asks');
  release();
});

test('the menus of a phone', async ({ guest }) => {
  for (const [role, path] of [
    ['visitor', '/about'],
    ['customer', '/dashboard/blog'],
    ['admin', '/dashboard/blog'],
  ] as const) {
    const { page } = await guest(role);
    await page.setViewportSize({ width: 390, height: 900 });
    await page.goto(path);
    await page.getByRole('button', { name: /^Open .*menu/ }).click();
    await expect(page.getByRole('dialog').getByRole('link').first()).toBeVisible();
    await expectAccessible(page, `the menu of a ${role}`);
  }
});

test('a product, in every state', async ({ guest, adminApi, consoleErrors }) => {
  consoleErrors.allow(503, failing);
  consoleErrors.allow(404, /\/products\//);
  const id = await adminApi.addProduct({ availableQty: 130 });
  const { page } = await guest('customer');
  await expectStatesAccessible(page, {
    path: `/product/${id}`,
    call: /\/products\/[0-9a-f-]{36}$/,
    full: () => expect(page.getByRole('button', { name: 'Purchase' })).toBeVisible(),
  });
  const dialog = await fillBilling(page);
  await expectAccessible(page, 'Billing Details');
  await dialog.getByLabel('Phone').fill('');
  await dialog.getByRole('button', { name: /^Order/ }).click();
  await expect(dialog.getByText('Phone is required')).toBeVisible();
  await expectAccessible(page, 'Billing Details with an error');
  await dialog.getByLabel('Phone').fill('555 0100');
  await dialog.getByLabel('Quantity').fill('100');
  await dialog.getByRole('button', { name: /^Order/ }).click();
  await expect(page.getByRole('alert')).toContainText('Product added to my order');
  await expectAccessible(page, 'product, ordered and with too little left');
  await page.goto('/product/01900000-0000-7000-8000-000000000000');
  await expect(page.getByRole('heading', { name: /no longer available/ })).toBeVisible();
  await expectAccessible(page, 'product, gone');
});

for (const [path, caption] of [
  ['/dashboard/orderTable', 'table'],
  ['/dashboard/myOrders', 'article'],
] as const) {
  test(`${path}, in every state`, async ({ guest, adminApi, consoleErrors }) => {
    consoleErrors.allow(503, failing);
    const product = await adminApi.addProduct();
    const { page, client } = await guest('customer');
    await client.order(product);
    const paid = await client.order(product);
    await client.pay(paid);
    await adminApi.ship(paid);
    await client.order(product);
    await expectStatesAccessible(page, {
      path,
      call: /\/orders\?/,
      nothing: [],
      full: () => expect(page.getByRole(caption).first()).toBeVisible(),
    });
    if (caption === 'table') return;
    await page.getByText('History').first().click();
    await expect(page.getByText('Ordered: 50').first()).toBeVisible();
    await page
      .getByRole('button', { name: /^Cancel order/ })
      .first()
      .click();
    await expectAccessible(page, 'My Order, the question before cancelling');
    await page.getByRole('button', { name: 'Yes' }).click();
    await expect(page.getByRole('alert')).toContainText('Order canceled');
    await expectAccessible(page, 'My Order, after cancelling');
  });
}

test('an order, in every state', async ({ guest, adminApi, consoleErrors }) => {
  consoleErrors.allow(503, failing);
  consoleErrors.allow(404, /\/orders\//);
  const product = await adminApi.addProduct();
  const { page, client } = await guest('customer');
  const order = await client.order(product);
  await client.pay(order);
  await adminApi.ship(order);
  await expectStatesAccessible(page, {
    path: `/dashboard/order/${order}`,
    call: /\/orders\/[0-9a-f-]{36}$/,
    full: () => expect(h1(page)).toHaveText('Vented Disc of a Journey'),
  });
  const cancelled = await client.order(product);
  await client.done('DELETE', `/orders/${cancelled}`);
  await page.goto(`/dashboard/order/${cancelled}`);
  await expect(page.getByText('This order was canceled').first()).toBeVisible();
  await expectAccessible(page, 'order, cancelled');
  await page.goto('/dashboard/order/01900000-0000-7000-8000-000000000000');
  await expect(page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
  await expect(page.getByRole('main').getByRole('heading').nth(1)).toBeVisible();
  await expectAccessible(page, 'order, not there');
});

test('the payment, in every state', async ({ guest, adminApi, consoleErrors }) => {
  consoleErrors.allow(503, failing);
  consoleErrors.allow(402, /\/sandbox/);
  consoleErrors.allow(404, /\/orders\//);
  const { page, client } = await guest('customer');
  const order = await client.order(await adminApi.addProduct());
  await expectStatesAccessible(page, {
    path: `/dashboard/payment/${order}`,
    call: /\/orders\/[0-9a-f-]{36}$/,
    full: () => expect(page.getByRole('button', { name: /^Pay/ })).toBeEnabled(),
  });
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(page.getByLabel('Card number')).toBeFocused();
  await expectAccessible(page, 'payment without a card');
  await fillCard(page, '4000000000000002');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(page.getByRole('alert')).toHaveText('Your card was declined.');
  await expectAccessible(page, 'payment, refused');
  await fillCard(page, '4242424242424242');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(page.getByRole('alert')).toContainText('Payment Successful');
  await expectAccessible(page, 'payment, successful');
  await page.goto('/dashboard/payment/01900000-0000-7000-8000-000000000000');
  await expect(page.getByRole('heading', { name: "We can't find that order" })).toBeVisible();
  await expectAccessible(page, 'payment of no order');
});

test('the profile, in every state, and its dialogs', async ({ guest, consoleErrors }) => {
  consoleErrors.allow(503, failing);
  const { page, client } = await guest('customer');
  await client.done('POST', '/info', { studyIn: 'Gear School', github: 'https://git.example/r' });
  await expectStatesAccessible(page, {
    path: '/dashboard/profile',
    call: /\/info\?/,
    nothing: null,
    full: () => expect(page.getByText('Gear School')).toBeVisible(),
  });
  await page.getByRole('button', { name: 'Update' }).click();
  await page.getByLabel('GitHub').fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText(/starts with https/).first()).toBeVisible();
  await expectAccessible(page, 'Update with an error');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await expect(page.getByLabel('Display name')).toBeFocused();
  await expectAccessible(page, 'Edit profile');
});

test('Add Review, the blog, and a place for admins only', async ({ guest }) => {
  const { page } = await guest('customer');
  await page.goto('/dashboard/review');
  await page.getByRole('main').getByRole('button', { name: 'Add Review' }).click();
  await expect(page.getByRole('main').getByText('Review details are required')).toBeVisible();
  await expectAccessible(page, 'Add Review with errors');
  await page.goto('/dashboard/blog');
  await expect(h1(page)).toBeVisible();
  for (const question of await page.locator('main summary').all()) await question.click();
  await expectAccessible(page, 'blog');
  await page.goto('/dashboard/users');
  await expect(page.getByText('That page is for admins')).toBeVisible();
  await expectAccessible(page, 'no entry');
});

const adminScreens = [
  { path: '/dashboard/orders', call: /\/allOrders(\?|$)/, row: 'article' },
  { path: '/dashboard/allOrderList', call: /\/allOrders(\?|$)/, row: 'table' },
  { path: '/dashboard/manage', call: /\/products(\?|$)/, row: 'table' },
  { path: '/dashboard/users', call: /\/user(\?|$)/, row: 'table' },
] as const;

for (const { path, call, row } of adminScreens) {
  test(`${path}, in every state`, async ({ guest, adminApi, consoleErrors }) => {
    consoleErrors.allow(503, failing);
    const customer = (await guest('customer')).client;
    const product = await adminApi.addProduct();
    await customer.order(product);
    await adminApi.ship(await customer.order(product));
    const { page } = await guest('admin');
    await expectStatesAccessible(page, {
      path,
      call,
      nothing: [],
      full: () => expect(page.getByRole(row).first()).toBeVisible(),
    });
    await page.getByLabel('Search').fill('there is no such thing');
    await expect(page.getByRole('heading', { name: /match/ })).toBeVisible();
    await expectAccessible(page, `${path}, nothing found`);
  });
}

test('the page of a customer, in every state', async ({ guest, adminApi, consoleErrors }) => {
  consoleErrors.allow(503, failing);
  consoleErrors.allow(404, /\/user\//);
  const customer = (await guest('customer')).client;
  await customer.order(await adminApi.addProduct());
  const { page } = await guest('admin');
  await expectStatesAccessible(page, {
    path: `/dashboard/users/${customer.email}`,
    call: /\/user\/[^/]+$/,
    full: () => expect(page.getByRole('table')).toBeVisible(),
  });
  await page.goto('/dashboard/users/nobody@example.com');
  await expect(page.getByRole('heading', { name: "We can't find that customer" })).toBeVisible();
  await expectAccessible(page, 'customer, not there');
});

test('the dialogs of the admin screens', async ({ guest, adminApi }) => {
  const customer = (await guest('customer')).client;
  const name = `Part under a dialog ${Date.now()}`;
  await customer.order(await adminApi.addProduct({ name }));
  const { page } = await guest('admin');
  const open = async (path: string, word: string, button: RegExp, what: string) => {
    await page.goto(path);
    await page.getByLabel('Search').fill(word);
    // Until the list is narrowed the row may be another journey's, and is about to be replaced.
    await expect(page.getByRole('status').filter({ hasText: /^1 matching / })).toBeVisible();
    await page.getByRole('button', { name: button }).click();
    await expect(page.locator('dialog[open]')).toBeVisible();
    await expectAccessible(page, what);
  };
  await open(
    '/dashboard/orders',
    customer.email,
    /^Approve Booking/,
    'the question before shipping',
  );
  await open('/dashboard/orders', customer.email, /^Delete Order/, 'the question before deleting');
  await open('/dashboard/users', customer.email, /^Remove User/, 'the question before removing');
  await open('/dashboard/manage', name, new RegExp(`^Delete ${name}`), 'deleting a product');
  await open('/dashboard/manage', name, new RegExp(`^Update ${name}`), 'restocking');
  await page.getByRole('dialog').getByLabel('Quantity').fill('-1');
  await page.getByRole('dialog').getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText(/can't be negative/)).toBeVisible();
  await expectAccessible(page, 'restocking with an error');
});

test('the overview, in every state, and its tables', async ({ guest, adminApi, consoleErrors }) => {
  consoleErrors.allow(503, failing);
  const customer = (await guest('customer')).client;
  await customer.pay(await customer.order(await adminApi.addProduct({ availableQty: 60 })));
  const { page, client } = await guest('admin');
  const overview = await client.done('GET', '/overview?days=60');
  await expectStatesAccessible(page, {
    path: '/dashboard/overview',
    // Not the screen's own address.
    call: /\/overview\?days=/,
    nothing: {
      days: overview.days.map(({ day }: { day: string }) => ({
        day,
        orders: 0,
        revenue: 0,
        paid: 0,
        returned: 0,
      })),
      orders: 0,
      revenue: 0,
      states: { waiting: 0, unpaid: 0, paid: 0, shipped: 0 },
      lowStock: [],
      latestOrders: [],
    },
    full: () => expect(page.getByRole('heading', { name: 'Revenue by day' })).toBeVisible(),
  });
  for (const choice of await page.getByText('Table', { exact: true }).all()) await choice.click();
  await expect(page.getByRole('table').first()).toBeVisible();
  await expectAccessible(page, 'the overview as tables');

  await page.route(/\/overview\/(top|payments)\?/, (route) =>
    route.fulfill({ status: 503, body: '' }),
  );
  await page.reload();
  await expect(page.getByRole('main').getByRole('button', { name: 'Retry' })).toHaveCount(4, {
    timeout: 20_000,
  });
  await expectAccessible(page, 'the overview without what sells and what is paid');
});

test('returns, from the request to the answer', async ({ guest, adminApi }) => {
  const customer = await guest('customer');
  const product = await adminApi.addProduct();
  const order = await customer.client.order(product);
  await customer.client.pay(order);
  await adminApi.ship(order);
  const { page } = customer;
  await page.goto(`/dashboard/order/${order}`);
  await page.getByRole('button', { name: /^Return units/ }).click();
  const request = page.getByRole('dialog');
  await request.getByRole('button', { name: 'Ask for return' }).click();
  await expect(request.getByText('Choose a reason').last()).toBeVisible();
  await expectAccessible(page, 'asking for a return, with errors');
  await request.getByLabel('Why are you returning them?').selectOption('does_not_fit');
  await request.getByLabel('Units').fill('20');
  await request.getByRole('button', { name: 'Ask for return' }).click();
  await expect(page.getByText("We've received your request to return 20 units.")).toBeVisible();
  await expectAccessible(page, 'an order with a return that was asked for');

  const back = (await guest('admin')).page;
  await back.goto(`/dashboard/order/${order}`);
  await back.getByRole('button', { name: /^Accept return/ }).click();
  const accept = back.getByRole('dialog');
  await accept.getByLabel('Refund (USD)').fill('0');
  await accept.getByRole('button', { name: 'Accept and refund' }).click();
  await expect(accept.getByText('Enter $0.01 or more')).toBeVisible();
  await expectAccessible(back, 'accepting a return, with an error');
  await back.keyboard.press('Escape');
  await back.getByRole('button', { name: /^Decline/ }).click();
  const decline = back.getByRole('dialog');
  await decline.getByRole('button', { name: 'Decline return' }).click();
  await expect(decline.getByText('Answer is required')).toBeVisible();
  await expectAccessible(back, 'declining a return, with an error');
  await decline.getByLabel('Answer').fill('These units were mounted already.');
  await decline.getByRole('button', { name: 'Decline return' }).click();
  await expect(back.getByText('Return declined. The customer has your answer.')).toBeVisible();
  await expectAccessible(back, 'an order with a return that was declined');
});

test('an import with a report of bad rows', async ({ guest }) => {
  const { page } = await guest('admin');
  await page.goto('/dashboard/manage');
  await page.getByRole('button', { name: 'Import CSV' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import CSV' });
  await expectAccessible(page, 'Import CSV');
  await dialog.locator('input[type=file]').setInputFiles({
    name: 'parts.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'name,description,category,price,availableQty,minOrder,img\r\n,Nameless,BRAKES,none,-1,50,x\r\n',
    ),
  });
  await expect(dialog.getByRole('table')).toBeVisible();
  await expectAccessible(page, 'Import CSV with bad rows');
});

test('Add Product, empty and with errors', async ({ guest }) => {
  const { page } = await guest('admin');
  await page.goto('/dashboard/addProduct');
  await expect(h1(page)).toHaveText('Add Product');
  await expectAccessible(page, 'Add Product');
  await page.getByRole('main').getByRole('button', { name: 'Add Product' }).click();
  await expect(page.getByText('Image is required')).toBeVisible();
  await expectAccessible(page, 'Add Product with errors');
});

test('the guards, while they wait and after they failed', async ({ guest, consoleErrors }) => {
  consoleErrors.allow(500, /\/(auth\/me|admin\/)/);
  const { page } = await guest('customer');
  for (const [call, path, what, failed] of [
    ['**/auth/me', '/dashboard/profile', 'sign-in', "We couldn't check whether you're signed in"],
    ['**/admin/*', '/dashboard/users', 'permissions', "We couldn't check your permissions"],
  ] as const) {
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route(call, async (route) => {
      await held;
      await route.fulfill({ status: 500, body: '' });
    });
    await page.goto(path);
    await expect(page.getByText(`Checking your ${what}`)).toBeVisible();
    await expectAccessible(page, `the guard asking for the ${what}`);
    release();
    await expect(page.getByText(failed)).toBeVisible();
    await expectAccessible(page, `the guard without the ${what}`);
    await page.unroute(call);
  }
});

test('/dashboard/audit, in every state, and an entry', async ({
  guest,
  adminApi,
  consoleErrors,
}) => {
  consoleErrors.allow(503, failing);
  await adminApi.addProduct();
  const { page } = await guest('admin');
  const entries = page.getByRole('list', { name: 'Audit trail entries' });
  await expectStatesAccessible(page, {
    path: '/dashboard/audit',
    call: /\/audit\?/,
    nothing: [],
    full: () => expect(entries).toBeVisible(),
  });
  await entries.locator('summary').first().click();
  await expect(entries.getByText('Request ID')).toBeVisible();
  await expectAccessible(page, '/dashboard/audit, an entry');
});

test('/dashboard/deliveries, its form with errors, its secret and its questions', async ({
  guest,
}) => {
  const { page, client } = await guest('admin');
  await page.goto('/dashboard/deliveries');
  await expect(page.getByRole('heading', { name: 'Webhooks', exact: true })).toBeVisible();
  await expect(page.getByRole('main').getByRole('status')).toHaveCount(0);
  await expectAccessible(page, 'deliveries');
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await expect(page.getByText('Choose at least one event')).toBeVisible();
  await expectAccessible(page, 'deliveries with errors');
  const url = `https://erp.example.com/${Date.now()}`;
  await page.getByLabel('Endpoint URL').fill(url);
  await page.getByLabel('Order refunded').check();
  await page.getByRole('button', { name: 'Add webhook' }).click();
  const secret = page.getByRole('dialog', { name: 'Webhook added' });
  await expect(secret.getByLabel('Secret')).toHaveValue(/^whsec_/);
  await expectAccessible(page, 'the secret');
  await secret.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: `Log of ${url}` }).click();
  await expect(page.getByText('No events yet.')).toBeVisible();
  await expectAccessible(page, 'the log');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: `Delete ${url}` }).click();
  await expectAccessible(page, 'deleting a webhook');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByText(url)).toHaveCount(0);
  expect(await client.done('GET', '/webhook-endpoints')).not.toContainEqual(
    expect.objectContaining({ url }),
  );
});

test('/dashboard/deliveries, in every state, and where much went wrong', async ({
  guest,
  consoleErrors,
}) => {
  consoleErrors.allow(503, failing);
  const { page, client } = await guest('admin');
  const url = `https://erp.example.com/${Date.now()}`;
  const { _id } = await client.done('POST', '/webhook-endpoints', {
    url,
    events: ['order.refunded'],
  });
  await expectStatesAccessible(page, {
    path: '/dashboard/deliveries',
    call: /\/webhook-endpoints$/,
    nothing: [],
    full: () => expect(page.getByRole('button', { name: `Log of ${url}` })).toBeVisible(),
  });
  await client.done('DELETE', `/webhook-endpoints/${_id}`);
  await failDeliveries(page);
  await page.reload();
  await expect(page.getByRole('table')).toHaveCount(2);
  await expectAccessible(page, 'deliveries, much went wrong');
  await page.getByRole('button', { name: /^Log/ }).first().click();
  await expect(page.getByRole('dialog').getByRole('table')).toBeVisible();
  await expectAccessible(page, 'the log of a webhook with trouble');
});
