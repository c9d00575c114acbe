import type { Page } from '@playwright/test';
import { admin, expect, fillCard, fillLogin, test } from './fixtures/shop';

const steps = (page: Page) =>
  page.getByRole('region', { name: 'History' }).getByRole('listitem').locator('p:first-of-type');

test('an order shows what happened, when and by whom, and what is still to come', async ({
  guest,
  adminApi,
}) => {
  const product = await adminApi.addProduct();
  const { page, client } = await guest('customer');
  const order = await client.order(product, { quantity: 75 });

  await page.goto('/dashboard/orderTable');
  await page
    .getByRole('row')
    .nth(1)
    .getByRole('link', { name: 'Vented Disc of a Journey', exact: true })
    .click();
  await expect(page).toHaveURL(new RegExp(`/dashboard/order/${order}$`));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vented Disc of a Journey');
  await expect(page.getByText('$9,675.00', { exact: true })).toBeVisible();
  await expect(page.getByText('Not Paid yet')).toBeVisible();
  await expect(steps(page)).toHaveText([
    /^Ordered: 75 for \$9,675\.00$/,
    /^Paid\s*Pending$/,
    /^Shipped\s*Pending$/,
  ]);
  await expect(page.getByRole('listitem').filter({ hasText: /by you$/ })).toHaveCount(1);

  await page.getByRole('link', { name: /^Pay Now/ }).click();
  await fillCard(page, '4242424242424242');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await page.getByRole('alert').getByRole('link', { name: 'View order' }).click();
  await expect(steps(page)).toHaveText([
    /^Ordered/,
    /^Paid, transaction pi_/,
    /^Shipped\s*Pending/,
  ]);
  await expect(page.getByRole('link', { name: /^Pay Now/ })).toHaveCount(0);
  await expect(page.getByRole('button', { name: /^Cancel order/ })).toHaveCount(0);

  await adminApi.ship(order);
  await page.reload();
  await expect(steps(page)).toHaveText([/^Ordered/, /^Paid, transaction pi_/, /^Shipped$/]);
  await expect(page.getByText('Pending', { exact: true })).toHaveCount(0);
  await expect(page.getByRole('listitem').filter({ hasText: /by Driveline$/ })).not.toHaveCount(0);
  const shipped = page.getByRole('listitem').filter({ hasText: 'Shipped' }).locator('time');
  const when = (await shipped.getAttribute('datetime')) ?? '';
  expect(Math.abs(Date.now() - Date.parse(when))).toBeLessThan(10 * 60_000);
  await expect(shipped).toHaveText(
    await page.evaluate(
      (time) =>
        new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' }).format(
          new Date(time),
        ),
      when,
    ),
  );
});

test('an order that was shipped on account says so, and that its payment is still to come', async ({
  guest,
  adminApi,
}) => {
  const { page, client } = await guest('customer');
  const order = await client.order(await adminApi.addProduct());
  await adminApi.ship(order);
  await page.goto(`/dashboard/order/${order}`);
  await expect(steps(page)).toHaveText([
    /^Ordered/,
    'Shipped on account (payment due)',
    /^Paid\s*Pending$/,
  ]);
  await expect(page.getByRole('button', { name: /^Cancel order/ })).toBeDisabled();
  await expect(page.getByText("Shipped orders can't be canceled.")).toBeVisible();
});

test('ordering again fills everything in, as far as the stock goes', async ({
  guest,
  adminApi,
}) => {
  const product = await adminApi.addProduct({ availableQty: 500 });
  const { page, client } = await guest('customer');
  const order = await client.order(product, {
    quantity: 300,
    name: 'Robin at the Bay',
    phone: '555 0177',
    address: '7 Ramp Road, Detroit',
  });
  await page.goto(`/dashboard/order/${order}`);
  await page.getByRole('link', { name: /^Order again/ }).click();
  await expect(page).toHaveURL(new RegExp(`/product/${product}$`));
  const dialog = page.getByRole('dialog', { name: 'Billing Details' });
  await expect(dialog.getByText("We've filled this in from your previous order.")).toBeVisible();
  await expect(dialog.getByLabel('Name')).toHaveValue('Robin at the Bay');
  await expect(dialog.getByLabel('Phone')).toHaveValue('555 0177');
  await expect(dialog.getByLabel('Address')).toHaveValue('7 Ramp Road, Detroit');
  await expect(dialog.getByLabel('Quantity')).toHaveValue('200');
  await dialog.getByRole('button', { name: 'Order 200 for $25,800.00' }).click();
  await expect(page.getByRole('alert')).toContainText('Product added to my order');

  await page.goto('/dashboard/myOrders');
  await expect(page.getByRole('article')).toHaveCount(2);
  // Nothing is left now: the way leads to the product, which says so, and opens no form.
  await page
    .getByRole('link', { name: /^Order again/ })
    .first()
    .click();
  await expect(page.getByText('Sold out. The minimum order is 50 units.')).toBeVisible();
  await expect(dialog).toHaveCount(0);
});

test('ordering again what is no longer sold says so and offers the shop', async ({
  guest,
  adminApi,
  consoleErrors,
}) => {
  consoleErrors.allow(404, /\/products\//);
  const product = await adminApi.addProduct();
  const { page, client } = await guest('customer');
  const order = await client.order(product);
  await adminApi.removeProduct(product);
  await page.goto(`/dashboard/order/${order}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vented Disc of a Journey');
  await page.getByRole('link', { name: /^Order again/ }).click();
  await expect(page.getByText('This product is no longer available')).toBeVisible();
  await page.getByRole('link', { name: 'Go to the shop' }).click();
  await expect(page).toHaveURL(/\/shop$/);
});

test('a cancelled order leaves the lists, and its history stays at its address', async ({
  guest,
  adminApi,
  consoleErrors,
}) => {
  const { page, client } = await guest('customer');
  const order = await client.order(await adminApi.addProduct());
  await page.goto('/dashboard/myOrders');
  await page.getByRole('link', { name: 'Vented Disc of a Journey', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vented Disc of a Journey');
  await page.getByRole('button', { name: /^Cancel order/ }).click();
  await expect(page.getByRole('alertdialog').getByText('Are you sure')).toHaveText(
    'Are you sure\nYou want to delete this order..!?',
    { useInnerText: true },
  );
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This order was canceled');
  await expect(page.getByRole('alert')).toContainText('Order canceled');

  consoleErrors.allow(404, /\/orders\//);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This order was canceled');
  await expect(steps(page)).toHaveText([/^Ordered: 50 for \$6,450\.00$/, 'Canceled']);
  await expect(page.getByText('Pending', { exact: true })).toHaveCount(0);
  await page.getByRole('link', { name: 'My orders' }).click();
  await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible();

  expect((await client.call('GET', `/orders/${order}`)).status).toBe(404);
});

test("another's order is not there; an admin sees it, and what admins may do", async ({
  page,
  guest,
  adminApi,
  consoleErrors,
}) => {
  consoleErrors.allow(404, /\/orders\//);
  const owner = await guest('customer');
  const order = await owner.client.order(await adminApi.addProduct());

  const stranger = await guest('customer');
  await stranger.page.goto(`/dashboard/order/${order}`);
  await expect(
    stranger.page.getByRole('heading', { name: "We can't find that order" }),
  ).toBeVisible();
  await expect(stranger.page.getByText('Vented Disc')).toHaveCount(0);

  await page.goto(`/dashboard/order/${order}`);
  await expect(page).toHaveURL(/\/login$/);
  await fillLogin(page, admin);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Vented Disc of a Journey');
  await expect(page.getByText(owner.client.email, { exact: true })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Delete Order/ })).toBeEnabled();
  await expect(page.getByRole('link', { name: /^(Pay Now|Order again)/ })).toHaveCount(0);
});

test('an order prints with its seller, part number and total, and an admin prints the note', async ({
  guest,
  adminApi,
}) => {
  const { client } = await guest('customer');
  const order = await client.order(await adminApi.addProduct(), { quantity: 75 });
  const { page } = await guest('admin');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`/dashboard/order/${order}`);
  await expect(page.getByRole('button', { name: 'Print order summary' })).toBeVisible();
  const { shop } = await client.done('GET', '/config');

  // As the browser's own command does it, which asks nobody.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const summary = page.getByRole('article', { name: 'Order summary' });
  await expect(summary.getByText(shop.company)).toBeVisible();
  await expect(summary.getByRole('row', { name: /^Total/ })).toContainText('$9,675.00');
  await expect(page.getByRole('main')).toBeHidden();
  const [ink, paper] = await summary.evaluate((element) => [
    getComputedStyle(element).color,
    getComputedStyle(document.body).backgroundColor,
  ]);
  expect([ink, paper]).toEqual(['rgb(0, 0, 0)', 'rgb(255, 255, 255)']);
  await page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
  await expect(summary).toHaveCount(0);

  await page.evaluate(() => {
    window.print = () => undefined;
  });
  await page.getByRole('button', { name: 'Print delivery note' }).click();
  await page.emulateMedia({ media: 'print' });
  const note = page.getByRole('article', { name: 'Delivery note' });
  await expect(note.getByText('Received in full and undamaged')).toBeVisible();
  await expect(note).not.toContainText('$');
});
