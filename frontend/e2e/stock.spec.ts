import { expect, fillBilling, signUp, somebody, test } from './fixtures/shop';

test('what is sold out, or too little for the minimum, cannot be ordered and says why', async ({
  page,
  adminApi,
}) => {
  const soldOut = await adminApi.addProduct({ availableQty: 0 });
  const tooFew = await adminApi.addProduct({ availableQty: 149, minOrder: 150 });
  await signUp(page, somebody());

  await page.goto(`/product/${soldOut}`);
  await expect(page.getByRole('button', { name: 'Sold out' })).toBeDisabled();
  await expect(page.getByText('Sold out. The minimum order is 50 units.')).toBeVisible();

  await page.goto(`/product/${tooFew}`);
  await expect(page.getByRole('button', { name: 'Not enough stock' })).toBeDisabled();
  await expect(page.getByText('Only 149 left; the minimum order is 150.')).toBeVisible();
});

test('a quantity puts itself in order: after a pause, and when the field is left', async ({
  page,
  adminApi,
}) => {
  const id = await adminApi.addProduct({ availableQty: 4200, price: 129.5 });
  await signUp(page, somebody());
  await page.goto(`/product/${id}`);
  const dialog = await fillBilling(page);
  await expect(dialog.getByText('Minimum 50 · 4,200 in stock')).toBeVisible();

  const quantity = dialog.getByLabel('Quantity');
  // The pause is short, and the one who looks may be late: again until it was seen.
  await expect(async () => {
    await quantity.fill('9999');
    expect(await quantity.inputValue()).toBe('9999');
  }).toPass();
  await expect(quantity).toHaveValue('4200');
  await expect(dialog.getByRole('status')).toHaveText('Quantity adjusted to 4,200 (all we have).');
  await expect(dialog.getByLabel('Price')).toHaveValue('$543,900.00');

  await quantity.fill('7');
  await quantity.press('Tab');
  await expect(quantity).toHaveValue('50');
  await expect(dialog.getByLabel('Price')).toHaveValue('$6,475.00');
});

test('who comes second is shown what is left and can take it', async ({
  page,
  anotherPage,
  adminApi,
  consoleErrors,
}) => {
  consoleErrors.allow(409, /\/orders/);
  const id = await adminApi.addProduct({ availableQty: 120 });
  await signUp(page, somebody());
  await page.goto(`/product/${id}`);
  const dialog = await fillBilling(page, 100);

  const rival = await anotherPage();
  await signUp(rival, somebody('Quick Rival'));
  await rival.goto(`/product/${id}`);
  const theirs = await fillBilling(rival, 60);
  await theirs.getByRole('button', { name: /^Order 60/ }).click();
  await expect(rival.getByRole('alert')).toContainText('Product added to my order');

  await dialog.getByRole('button', { name: /^Order 100/ }).click();
  await expect(dialog.getByRole('alert')).toContainText(
    "Only 60 left. We've changed your quantity to 60",
  );
  await expect(dialog.getByLabel('Address')).toHaveValue('1 Workshop Lane, Detroit');
  await dialog.getByRole('button', { name: /^Order 60/ }).click();
  await expect(page.getByRole('alert')).toContainText('Product added to my order');
  await expect(page.getByRole('button', { name: 'Sold out' })).toBeDisabled();
});

test('who comes too late learns that it is too late', async ({
  page,
  anotherPage,
  adminApi,
  consoleErrors,
}) => {
  consoleErrors.allow(409, /\/orders/);
  const id = await adminApi.addProduct({ availableQty: 60 });
  await signUp(page, somebody());
  await page.goto(`/product/${id}`);
  const dialog = await fillBilling(page);

  const rival = await anotherPage();
  await signUp(rival, somebody('Quick Rival'));
  await rival.goto(`/product/${id}`);
  const theirs = await fillBilling(rival);
  await theirs.getByRole('button', { name: /^Order 50/ }).click();
  await expect(rival.getByRole('alert')).toContainText('Product added to my order');

  await dialog.getByRole('button', { name: /^Order 50/ }).click();
  await expect(dialog.getByRole('alert')).toContainText(
    'Only 10 left; the minimum order is 50. Nothing was ordered.',
  );
  await expect(dialog.getByRole('button', { name: /^Order/ })).toBeDisabled();
});

test('a price that changed meanwhile is shown, and accepted with one click', async ({
  page,
  adminApi,
  consoleErrors,
}) => {
  consoleErrors.allow(409, /\/orders/);
  const id = await adminApi.addProduct({ price: 129 });
  await signUp(page, somebody());
  await page.goto(`/product/${id}`);
  const dialog = await fillBilling(page, 60);
  await expect(dialog.getByLabel('Price')).toHaveValue('$7,740.00');

  await adminApi.reprice(id, 139.5);
  await dialog.getByRole('button', { name: /^Order 60/ }).click();
  await expect(dialog.getByRole('alert')).toContainText('The price has changed to $139.50 each');
  await expect(dialog.getByLabel('Price')).toHaveValue('$8,370.00');
  await expect(dialog.getByLabel('Address')).toHaveValue('1 Workshop Lane, Detroit');
  await dialog.getByRole('button', { name: 'Order at $8,370.00' }).click();
  await expect(page.getByRole('alert')).toContainText('Product added to my order');

  await page.getByRole('link', { name: 'Pay now' }).click();
  await expect(page.getByRole('button', { name: 'Pay $8,370.00' })).toBeVisible();
});

test('an unavailable shop is reported with Try again, and the order is placed once', async ({
  page,
  adminApi,
  consoleErrors,
}) => {
  consoleErrors.allow(503, /\/orders/);
  const id = await adminApi.addProduct({ availableQty: 500 });
  await signUp(page, somebody());
  await page.goto(`/product/${id}`);
  const dialog = await fillBilling(page, 50);

  const keys: (string | undefined)[] = [];
  let away = true;
  await page.route('**/orders', async (route) => {
    keys.push(route.request().headers()['idempotency-key']);
    if (!away) return route.continue();
    // The order arrives, its answer does not: the case in which a second try could order twice.
    await route.fetch();
    return route.fulfill({
      status: 503,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: '/problems/unavailable',
        title: 'Unavailable',
        status: 503,
        detail: 'The database is away.',
        message: 'The shop is taking a short break. Please try again.',
      }),
    });
  });
  await dialog.getByRole('button', { name: /^Order 50/ }).click();
  await expect(dialog.getByRole('alert')).toContainText('taking a short break');
  away = false;
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toContainText('Product added to my order');
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBeTruthy();
  expect(keys[1]).toBe(keys[0]);

  await page.goto('/dashboard/orderTable');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Orders: 1');
});

test('an order whose answer never came outlives a reload, and is placed once', async ({
  page,
  adminApi,
  consoleErrors,
}) => {
  consoleErrors.allow(503, /\/orders/);
  const id = await adminApi.addProduct({ availableQty: 90 });
  await signUp(page, somebody());
  await page.goto(`/product/${id}`);
  const dialog = await fillBilling(page, 60);

  let lost = true;
  await page.route('**/orders', async (route) => {
    if (!lost) return route.continue();
    // It arrives and takes all that could be ordered; its answer is lost on the way back.
    await route.fetch();
    return route.fulfill({ status: 503, body: '' });
  });
  await dialog.getByRole('button', { name: /^Order 60/ }).click();
  await expect(dialog.getByRole('button', { name: 'Try again' })).toBeVisible();
  lost = false;

  await page.reload();
  await expect(dialog.getByRole('alert')).toContainText("haven't heard back yet");
  await expect(dialog.getByRole('alert')).toContainText('60 for $7,740.00');
  await expect(dialog.getByRole('button', { name: /^Order/ })).toHaveCount(0);
  await dialog.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('alert')).toContainText('Product added to my order');
  await expect(page.getByText('Only 30 left; the minimum order is 50.')).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);

  await page.goto('/dashboard/orderTable');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Orders: 1');
});
