import { expect, fillCard, test } from './fixtures/shop';
import { shoot, shootDialog, visit } from './fixtures/shots';

/* The screens of buying in bulk, and those of the admins who sell so. */

interface Part {
  _id: string;
  name: string;
  partNumber: string;
  availableQty: number;
  minOrder: number;
}

test('customers who buy in bulk', async ({ guest }) => {
  const { page, client } = await guest('customer');
  await visit(page, '/dashboard/quickOrder', 'quick-order-empty');
  await visit(page, '/dashboard/purchases', 'purchases-empty');
  await visit(page, '/dashboard/lists', 'lists-empty');
  await visit(page, '/dashboard/addresses', 'addresses-empty');

  const all: Part[] = await client.done('GET', '/products');
  const sold = all.filter((part) => part.partNumber && part.availableQty >= 2 * part.minOrder);
  const lines = sold
    .slice(0, 9)
    .map((part, place) => `${part.partNumber} ${part.minOrder + 10 * place}`);
  const rare = all.find((part) => part.availableQty < part.minOrder);
  await page.goto('/dashboard/quickOrder');
  await page
    .getByLabel('Part numbers and quantities')
    .fill(
      [...lines, `${sold[9]?.partNumber} 10`, `${rare?.partNumber} 50`, 'NO-SUCH-NUMBER 50'].join(
        '\n',
      ),
    );
  await page.getByRole('button', { name: 'Check', exact: true }).click();
  await expect(page.getByText('1 not found')).toBeVisible();
  await shoot(page, 'quick-order');
  await page.getByRole('button', { name: 'Add to order' }).click();
  await visit(page, '/basket', 'basket-filled');
  await page.getByRole('button', { name: 'Save as list' }).click();
  await expect(page.getByRole('dialog').getByLabel('Name')).toBeVisible();
  await page.getByRole('dialog').getByLabel('Name').fill('Monday service parts');
  await shootDialog(page, 'save-as-list');
  await page.getByRole('button', { name: 'Save list' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goto('/shop');
  await page
    .getByRole('button', { name: /^Basket/ })
    .first()
    .click();
  await expect(page.getByRole('dialog')).toBeVisible();
  await shootDialog(page, 'basket-drawer');
  await page.keyboard.press('Escape');
  await visit(page, '/dashboard/lists', 'lists');
  await page.getByRole('link', { name: /^Open/ }).first().click();
  await expect(page.getByLabel('Name of the list')).toBeVisible();
  await shoot(page, 'list');

  await page.goto('/dashboard/checkout');
  await page.getByRole('button', { name: /^Place order/ }).click();
  await shoot(page, 'checkout-with-errors');
  const field = (token: string) => page.locator(`[autocomplete="shipping ${token}"]`);
  await field('tel').fill('555 0100');
  await field('country').selectOption('US');
  await field('address-line1').fill('1 Workshop Lane');
  await field('address-level2').fill('Detroit');
  await field('address-level1').selectOption('MI');
  await field('postal-code').fill('48201');
  await page.getByLabel('PO number').fill('PO-7781');
  await expect(page.getByRole('button', { name: /^Place order for \$/ })).toBeVisible();
  await shoot(page, 'checkout');
  await page.getByRole('button', { name: /^Place order for \$/ }).click();
  await expect(page.getByText(/^You are paying for purchase/)).toBeVisible();
  await shoot(page, 'purchase-payment');
  await fillCard(page, '4242 4242 4242 4242');
  await page.getByRole('button', { name: /^Pay \$/ }).click();
  await expect(page.getByRole('alert')).toContainText('Payment Successful');
  await shoot(page, 'purchase-paid');
  const [one, other] = sold.slice(10).filter(({ minOrder }) => minOrder <= 50);
  await client.buyTogether(one?._id ?? '', other?._id ?? '');
  await visit(page, '/dashboard/purchases', 'purchases');
  await page.getByRole('heading', { level: 2 }).getByRole('link').last().click();
  await expect(page.getByRole('list', { name: 'Parts' })).toBeVisible();
  await shoot(page, 'purchase');
  await client.done('POST', '/addresses', {
    name: 'Robin Vale',
    phone: '555 0100',
    line1: '1 Workshop Lane',
    city: 'Detroit',
    region: 'MI',
    postcode: '48201',
    country: 'US',
    isDefault: true,
  });
  await visit(page, '/dashboard/addresses', 'addresses');
});

test('admins who sell in bulk', async ({ guest, adminApi }) => {
  const { page } = await guest('admin');
  const customer = (await guest('customer')).client;
  const one = await adminApi.addProduct();
  const other = await adminApi.addProduct();
  const purchase = await customer.buyTogether(one, other);
  for (const [path, name] of [
    ['/dashboard/allPurchases', 'admin-purchases'],
    [`/dashboard/allPurchases/${purchase}`, 'admin-purchase'],
    ['/dashboard/prices', 'admin-prices'],
    ['/dashboard/freight', 'admin-freight'],
    ['/dashboard/tax', 'admin-tax'],
    ['/dashboard/seller', 'admin-seller'],
    ['/dashboard/feeds', 'admin-feeds'],
    [`/dashboard/manage/${one}`, 'admin-edit-product'],
    [`/dashboard/users/${customer.email}`, 'admin-customer-who-buys'],
  ] as const) {
    await visit(page, path, name);
  }
});
