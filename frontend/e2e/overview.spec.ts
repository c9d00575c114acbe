import type { Page } from '@playwright/test';
import { expect, somebody, test } from './fixtures/shop';

/** The number in a key figure's tile. */
async function figure(page: Page, name: string): Promise<number> {
  const tile = page.getByRole('main').locator('dl > div', {
    has: page.getByText(name, { exact: true }),
  });
  return Number(((await tile.locator('strong').textContent()) ?? '').replace(/[$,+]/g, ''));
}

const revenue = (page: Page) =>
  page.locator('figure', { has: page.getByRole('heading', { name: 'Revenue by day' }) });

test('an admin sees what came in today, and the dashboard opens with the profile for everybody', async ({
  guest,
  adminApi,
}) => {
  const product = await adminApi.addProduct({ price: 100.5, availableQty: 4200 });
  const customer = await guest('customer');
  const { page } = await guest('admin');
  await page.goto('/');
  await page.getByRole('link', { name: 'Dashboard' }).first().click();
  await expect(page.getByRole('main').getByText('admin@example.com').first()).toBeVisible();
  await page.getByRole('link', { name: 'Overview' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Overview');
  await expect(page.getByRole('heading', { name: 'Latest orders' })).toBeVisible();
  const before = { revenue: await figure(page, 'Revenue'), orders: await figure(page, 'Orders') };
  const waiting = await figure(page, 'Pending Approval');

  const order = await customer.client.order(product, { quantity: 60 });
  await customer.client.pay(order);
  await page.reload();
  await expect.poll(() => figure(page, 'Orders')).toBe(before.orders + 1);
  expect(await figure(page, 'Revenue')).toBeCloseTo(before.revenue + 6030, 2);
  expect(await figure(page, 'Pending Approval')).toBe(waiting + 1);

  const latest = page.getByRole('region', { name: 'Latest orders' });
  await expect(latest.getByRole('listitem').first()).toContainText('$6,030.00');
  await latest.getByRole('link', { name: '60 × Vented Disc of a Journey' }).first().click();
  await expect(page).toHaveURL(new RegExp(`/dashboard/order/${order}$`));

  await customer.page.goto('/dashboard');
  await expect(
    customer.page.getByRole('main').getByText(customer.client.email).first(),
  ).toBeVisible();
  await expect(customer.page.getByRole('heading', { name: 'Overview' })).toHaveCount(0);
});

test('the days are read by pointer, by arrow keys and as a table, and nothing moves meanwhile', async ({
  guest,
  adminApi,
}) => {
  const product = await adminApi.addProduct({ price: 10 });
  const customer = await guest('customer');
  await customer.client.pay(await customer.client.order(product));

  const { page } = await guest('admin');
  await page.goto('/dashboard/overview?days=7');
  const figures = revenue(page);
  await expect(
    figures.getByRole('img', { name: /^Bar chart of revenue for 7 days/ }),
  ).toBeVisible();
  const box = await figures.boundingBox();

  const day = figures.getByRole('slider', { name: 'Day' });
  const today = (await day.getAttribute('aria-valuetext')) ?? '';
  await day.focus();
  await page.keyboard.press('ArrowLeft');
  await expect(day).not.toHaveAttribute('aria-valuetext', today);
  await page.keyboard.press('End');
  await expect(day).toHaveAttribute('aria-valuetext', today);

  const chart = await figures.getByRole('img').boundingBox();
  if (!chart) throw new Error('The chart is not drawn.');
  await page.mouse.move(chart.x + 5, chart.y + 60);
  await expect(day).toHaveValue('0');
  await page.mouse.move(chart.x + chart.width - 5, chart.y + 60);
  await expect(day).toHaveAttribute('aria-valuetext', today);

  await figures.getByRole('button', { name: 'Table' }).click();
  await expect(figures.getByRole('row')).toHaveCount(8);
  const [, newest] = await figures.getByRole('row').allInnerTexts();
  expect(today.startsWith((newest ?? '').split('\t')[0] ?? '-')).toBe(true);
  await figures.getByRole('button', { name: 'Chart' }).click();
  expect(await figures.boundingBox()).toEqual(box);
});

test('the period stands in the address and outlives a reload', async ({ guest }) => {
  const { page } = await guest('admin');
  await page.goto('/dashboard/overview');
  await page.getByRole('button', { name: '90 days' }).click();
  await expect(page).toHaveURL(/\/dashboard\/overview\?days=90$/);
  await expect(page.getByRole('link', { name: 'placed in the last 90 days' })).toBeVisible();
  await page.reload();
  await expect(page.getByRole('link', { name: 'placed in the last 90 days' })).toBeVisible();
  await expect(page.getByRole('button', { name: '90 days' })).toHaveAttribute(
    'aria-pressed',
    'true',
  );
});

test('what runs low leads to where it is restocked, and leaves the overview afterwards', async ({
  guest,
  adminApi,
}) => {
  // Nothing has less, so that it stands among the ten.
  const name = `Last Bolt ${Date.now()}`;
  await adminApi.addProduct({ name, availableQty: 0 });
  const { page } = await guest('admin');
  await page.goto('/dashboard/overview');
  const low = page.getByRole('region', { name: 'Low stock' });
  await expect(low.getByRole('listitem').filter({ hasText: name })).toContainText('Sold out');
  await low.getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage Products');
  await expect(page.getByRole('searchbox', { name: 'Search' })).not.toHaveValue('');
  await page.getByRole('button', { name: `Update ${name}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Update' });
  await dialog.getByLabel('Quantity').fill('500');
  await dialog.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Restocked Successfully')).toBeVisible();
  await page.goBack();
  await expect(low).toBeVisible();
  await expect(low.getByRole('link', { name })).toHaveCount(0);
});

test('the figures of what waits lead to those orders', async ({ guest, adminApi }) => {
  const product = await adminApi.addProduct();
  const customer = await guest('customer', somebody('Wendy Waits'));
  await customer.client.order(product);
  const { page } = await guest('admin');
  await page.goto('/dashboard/overview');
  const waiting = await figure(page, 'Pending Approval');
  await page.getByRole('link', { name: 'Review', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard\/orders\?state=waiting$/);
  await expect(
    page.getByRole('status').filter({ hasText: `${waiting} matching order` }),
  ).toBeVisible();
});

test('what sells, who buys and what is unpaid lead to those orders', async ({
  guest,
  adminApi,
}) => {
  // More than all others together, so that it stands among the five whatever else is sold.
  const name = `Best Seller ${Date.now()}`;
  const product = await adminApi.addProduct({ name, price: 9000, availableQty: 100_000 });
  const buyer = somebody('Betty Buys');
  const customer = await guest('customer', buyer);
  const order = await customer.client.order(product, { quantity: 100 });
  await customer.client.pay(order);
  await customer.client.order(product, { quantity: 50 });

  const { page } = await guest('admin');
  await page.goto('/dashboard/overview?days=7');
  const products = page.getByRole('region', { name: 'Top products' });
  const sold = products.getByRole('listitem').filter({ hasText: name });
  await expect(sold).toContainText('$900,000.00');
  await expect(sold).toContainText('100 units in 1 order');
  const customers = page.getByRole('region', { name: 'Top customers' });
  await expect(customers.getByRole('listitem').filter({ hasText: 'Betty Buys' })).toContainText(
    '$900,000.00',
  );

  await sold.getByRole('link', { name: /^1 order/ }).click();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Orders');
  await expect(page.getByText('2 matching orders')).toBeVisible();
  await page.goBack();

  const payments = page.getByRole('region', { name: 'Payments' });
  const recent = payments.getByRole('link', { name: /^Today and yesterday/ });
  const count = Number(
    (await recent.textContent())?.match(/: ([\d,]+) order/)?.[1]?.replace(',', ''),
  );
  expect(count).toBeGreaterThan(0);
  await recent.click();
  await expect(page).toHaveURL(/\/dashboard\/orders\?state=unpaid&from=/);
  await expect(
    page.getByRole('status').filter({ hasText: `${count} matching order` }),
  ).toBeVisible();
});
