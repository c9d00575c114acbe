import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { ApiClient } from './fixtures/api-client';
import { expectAccessible } from './fixtures/axe';
import { arrive, tabTo } from './fixtures/keyboard';
import { expect, fillCard, test } from './fixtures/shop';

/** Parts with numbers that nothing else in the shop has, in the order of their numbers. */
async function parts(adminApi: ApiClient, count: number): Promise<string[]> {
  const mark = `Q${randomUUID().replace(/-/g, '').slice(0, 7).toUpperCase()}`;
  const numbers = Array.from(
    { length: count },
    (_, place) => `${mark}-${String(place + 1).padStart(3, '0')}`,
  );
  for (const partNumber of numbers) {
    await adminApi.addProduct({ name: `Part ${partNumber}`, partNumber, price: 12.5 });
  }
  return numbers;
}

/** The field that browsers fill in with this. */
const field = (page: Page, token: string) => page.locator(`[autocomplete="shipping ${token}"]`);

async function fillAddress(page: Page): Promise<void> {
  await field(page, 'tel').fill('555 0100');
  await field(page, 'country').selectOption('US');
  await field(page, 'address-line1').fill('1 Workshop Lane');
  await field(page, 'address-level2').fill('Detroit');
  await field(page, 'address-level1').selectOption('MI');
  await field(page, 'postal-code').fill('48201');
}

for (const width of [1440, 390]) {
  test(`forty pasted numbers become one paid checkout, ${width} pixels wide`, async ({
    guest,
    adminApi,
  }) => {
    test.slow();
    const numbers = await parts(adminApi, 40);
    const { page } = await guest('customer');
    const look = async (what: string) => {
      await expectAccessible(page, what);
      await page.setViewportSize({ width, height: 900 });
    };
    await page.setViewportSize({ width, height: 900 });
    await page.goto('/dashboard/quickOrder');
    await look('an empty quick order');

    // As a spreadsheet has it, with one number that nobody knows and one quantity below the minimum.
    const pasted = numbers.map((number, place) => `${number}\t${place === 4 ? 20 : 50 + place}`);
    await page
      .getByLabel('Part numbers and quantities')
      .fill([...pasted, 'NO-SUCH-NUMBER-0 50'].join('\n'));
    await page.getByRole('button', { name: 'Check', exact: true }).click();
    await expect(page.getByText('40 in order')).toBeVisible();
    await expect(page.getByText('1 not found')).toBeVisible();
    const fifth = page.getByRole('listitem', { name: 'Line 5', exact: true });
    await expect(fifth).toContainText('Quantity changed');
    await expect(fifth.getByRole('textbox')).toHaveValue('50');
    await look('a checked quick order');

    // What was made of it outlives a reload.
    await page.getByRole('button', { name: /^Remove Line 41/ }).click();
    await expect(page.getByText('1 not found')).toBeHidden();
    await page.reload();
    await expect(page.getByText('40 in order')).toBeVisible();
    await page.getByRole('button', { name: 'Check out' }).click();

    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Checkout');
    await fillAddress(page);
    await page.getByLabel('PO number').fill('PO-7781');
    await expect(page.getByRole('button', { name: /^Place order for \$/ })).toBeVisible();
    await look('the checkout');
    await page.reload();
    await expect(page.getByLabel('PO number')).toHaveValue('PO-7781');
    await page.getByRole('button', { name: /^Place order for \$/ }).click();

    await expect(
      page.getByText(/^You are paying for purchase .*: 40 lines with one payment/),
    ).toBeVisible();
    await look('the payment of a checkout');
    await fillCard(page, '4242 4242 4242 4242');
    await page.getByRole('button', { name: /^Pay \$/ }).click();
    await expect(page.getByRole('alert')).toContainText('Payment Successful');

    await page.getByRole('link', { name: 'View purchase' }).click();
    await expect(page.getByRole('list', { name: 'Parts' }).getByRole('listitem')).toHaveCount(40);
    await expect(page.getByText('PO-7781').first()).toBeVisible();
    await expect(page.getByText('Not Paid yet')).toHaveCount(0);
    await look('a purchase');
    const invoice = page.getByRole('button', { name: /^Invoice / });
    await expect(invoice).toHaveCount(1);
    const [download] = await Promise.all([page.waitForEvent('download'), invoice.click()]);
    expect(download.suggestedFilename()).toMatch(/\.pdf$/);

    await page.goto('/dashboard/myOrders');
    await expect(page.getByRole('link', { name: /^View the whole purchase/ })).toHaveCount(40);
    await page.goto('/basket');
    await expect(page.getByRole('heading', { name: 'Your basket is empty' })).toBeVisible();
  });
}

test('a list is pasted, corrected, checked out and paid without a pointer', async ({
  guest,
  adminApi,
}) => {
  const [first = '', second = ''] = await parts(adminApi, 2);
  const { page } = await guest('customer');
  const { keyboard } = page;
  await page.goto('/dashboard/quickOrder');
  await expect(page.getByLabel('Part numbers and quantities')).toBeVisible();
  await tabTo(page, 'Part numbers and quantities');
  await keyboard.insertText(`${first} 60\nX${second} 50`);
  await keyboard.press('Control+Enter');
  await expect(page.getByRole('heading', { name: 'Your lines' })).toBeFocused();
  await expect(page.getByText('1 not found')).toBeVisible();

  await tabTo(page, `Quantity of Part ${first}`);
  await keyboard.press('Control+A');
  await keyboard.type('75');
  await tabTo(page, 'Correct this line: Line 2');
  await keyboard.press('Control+A');
  await keyboard.type(`${second} 50`);
  await keyboard.press('Enter');
  await expect(page.getByText('2 in order')).toBeVisible();
  await expect(page.getByText('$1,562.50')).toBeVisible();

  await tabTo(page, 'Check out');
  await keyboard.press('Enter');
  await arrive(page, 'Checkout');
  await tabTo(page, 'Phone');
  await keyboard.type('555 0100');
  await tabTo(page, 'Address');
  await keyboard.type('1 Workshop Lane');
  await tabTo(page, 'City');
  await keyboard.type('Detroit');
  await tabTo(page, 'State');
  await keyboard.type('Michigan');
  await tabTo(page, 'ZIP code');
  await keyboard.type('48201');
  await tabTo(page, /^Place order/);
  await expect(page.getByRole('button', { name: /^Place order for \$1,562\.50/ })).toBeVisible();
  await keyboard.press('Enter');
  await arrive(page, 'Payment');
  await expect(page.getByRole('button', { name: 'Buy Now' })).toBeVisible();
  await tabTo(page, 'Buy Now');
  await keyboard.press('Enter');
  await expect(page.getByLabel('Card number')).toBeFocused();
  await keyboard.type('4242424242424242');
  await tabTo(page, 'Expiry date');
  await keyboard.type('1234');
  await tabTo(page, 'CVC');
  await keyboard.type('123');
  await tabTo(page, /^Pay \$1,562\.50/);
  await keyboard.press('Enter');
  await expect(page.getByRole('alert')).toContainText('Payment Successful');
});

test("a visitor's basket comes along when they log in", async ({ page, adminApi, guest }) => {
  const [number = ''] = await parts(adminApi, 1);
  const { client } = await guest('customer');
  const account = client.account;
  if (!account) throw new Error('A customer has an account.');
  await page.goto(`/shop?q=${number}`);
  await page.getByRole('button', { name: `Add 50 × Part ${number} to order` }).click();
  await page.getByRole('button', { name: 'Basket: 1 part' }).click();
  const drawer = page.getByRole('dialog', { name: 'Basket' });
  await expect(drawer.getByRole('link', { name: `Part ${number}`, exact: true })).toBeVisible();
  await expectAccessible(page, 'the basket beside the page');
  await drawer.getByRole('link', { name: 'Check out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.getByRole('main').getByLabel('Email', { exact: true }).fill(account.email);
  await page.getByLabel('Password', { exact: true }).fill(account.password);
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page).toHaveURL(/\/dashboard\/checkout$/);
  await expect(page.getByRole('list', { name: 'Parts' })).toContainText(`Part ${number}`);
  expect(await page.evaluate(() => localStorage.getItem('basket'))).toBeNull();
});

test('a basket that was changed on another device says so, and shows the latest', async ({
  guest,
  adminApi,
  consoleErrors,
}) => {
  consoleErrors.allow(412, /\/cart/);
  const [number = ''] = await parts(adminApi, 1);
  const { page, client } = await guest('customer');
  const product = (await client.done('GET', `/products?q=${number}`))[0];
  const cart = await client.done('GET', '/cart');
  await client.call(
    'PUT',
    '/cart',
    { lines: [{ productId: product._id, quantity: 50 }] },
    {
      'If-Match': `"${cart.version}"`,
    },
  );
  await page.goto('/basket');
  const quantity = page.getByRole('textbox', { name: /^Quantity of/ });
  await expect(quantity).toHaveValue('50');
  await client.call(
    'PUT',
    '/cart',
    { lines: [{ productId: product._id, quantity: 200 }] },
    {
      'If-Match': `"${cart.version + 1}"`,
    },
  );
  await page.getByRole('button', { name: /^Add 10 of/ }).click();
  await expect(page.getByText(/changed on another device/)).toBeVisible();
  await expect(quantity).toHaveValue('200');
});
