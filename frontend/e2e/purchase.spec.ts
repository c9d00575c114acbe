import {
  admin,
  expect,
  fillBilling,
  fillCard,
  logIn,
  signUp,
  somebody,
  test,
} from './fixtures/shop';

test('somebody signs up, buys 50 brake discs, pays, and sees them shipped', async ({
  page,
  anotherPage,
}) => {
  const customer = somebody();
  await signUp(page, customer);

  const products: { name: string; minOrder: number; availableQty: number }[] = await (
    await page.request.get('/products?q=brake+disc&inStock=true')
  ).json();
  const disc = products.find((product) => product.minOrder === 50);
  if (!disc) throw new Error('The shop has no brake disc that is sold from 50 on.');

  await page.goto('/shop?q=brake+disc');
  await page.getByRole('link', { name: `Purchase ${disc.name}`, exact: true }).click();
  await expect(page.getByRole('heading', { level: 1, name: disc.name })).toBeVisible();
  const available = page.locator('dt', { hasText: 'Available quantity' }).locator('~ dd');
  const before = Number((await available.textContent())?.replace(/\D/g, ''));

  const dialog = await fillBilling(page);
  await expect(dialog.getByLabel('Name')).toHaveValue(customer.name);
  await expect(dialog.getByLabel('Email')).toHaveValue(customer.email);
  await expect(dialog.getByLabel('Quantity')).toHaveValue('50');
  await expect(dialog.getByLabel('Price')).toBeDisabled();
  await dialog.getByRole('button', { name: /^Order 50/ }).click();

  await expect(dialog).toBeHidden();
  await expect(page.getByRole('alert')).toContainText('Product added to my order');
  await expect(available).toHaveText((before - 50).toLocaleString('en-US'));

  await page.getByRole('link', { name: 'Pay now' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Payment');
  await page.getByRole('button', { name: 'Buy Now' }).click();
  await expect(page.getByLabel('Card number')).toBeFocused();
  await fillCard(page, '4242 4242 4242 4242');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(page.getByRole('alert')).toContainText('Payment Successful');
  await expect(page.getByRole('alert')).toContainText('Transaction id');

  await page.getByRole('link', { name: 'My orders' }).click();
  const card = page.getByRole('article').first();
  await expect(card).toContainText('Pending Approval');
  await expect(card).not.toContainText('Not Paid yet');
  await expect(card.getByRole('button', { name: 'Paid' })).toBeDisabled();
  await expect(card.getByRole('button', { name: /Cancel order/ })).toHaveCount(0);

  const adminApi = await anotherPage();
  await logIn(adminApi, admin);
  await adminApi.goto('/dashboard/orders');
  await adminApi.getByLabel('Search').fill(customer.email);
  const theirs = adminApi.getByRole('article');
  await expect(theirs).toHaveCount(1);
  await expect(theirs.getByRole('button', { name: /Delete Order/ })).toBeDisabled();
  await theirs.getByRole('button', { name: /Approve Booking/ }).click();
  const question = adminApi.getByRole('alertdialog', { name: 'Approve Booking' });
  await expect(question).toContainText('Ship This Boat..!?');
  await expect(question).not.toContainText('on account');
  await question.getByRole('button', { name: 'Yes' }).click();
  await expect(adminApi.getByRole('alert')).toContainText('Product Shipped...!!!');
  await expect(theirs.getByRole('button', { name: /^Shipped/ })).toBeDisabled();

  await page.getByRole('link', { name: 'Order Table' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Orders: 1');
  const row = page.getByRole('row').nth(1);
  await expect(row).toContainText('Shipped');
  await expect(row).toContainText('Paid');
  await expect(row).toContainText(disc.name);
});

test('an unpaid order is shipped on account, and can still be paid', async ({
  page,
  anotherPage,
  adminApi,
}) => {
  const id = await adminApi.addProduct();
  const customer = somebody();
  await signUp(page, customer);
  await page.goto(`/product/${id}`);
  const dialog = await fillBilling(page);
  await dialog.getByRole('button', { name: /^Order 50/ }).click();
  await expect(page.getByRole('alert')).toContainText('Product added to my order');

  const desk = await anotherPage();
  await logIn(desk, admin);
  await desk.goto('/dashboard/orders');
  await desk.getByLabel('Search').fill(customer.email);
  await expect(desk.getByRole('article')).toHaveCount(1);
  await desk.getByRole('button', { name: /Approve Booking/ }).click();
  await expect(desk.getByRole('alertdialog')).toContainText('Ship it on account?');
  await desk.getByRole('button', { name: 'Yes' }).click();
  await expect(desk.getByRole('alert')).toContainText('Product Shipped...!!!');

  await page.goto('/dashboard/orderTable');
  const row = page.getByRole('row').nth(1);
  await expect(row).toContainText('Shipped');
  await expect(row).toContainText('Not Paid yet');
  await row.getByRole('link', { name: /Pay Now/ }).click();
  await fillCard(page, '4242424242424242');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(page.getByRole('alert')).toContainText('Payment Successful');
});

test('an unpaid order is cancelled after the question, and its units return', async ({
  page,
  adminApi,
}) => {
  const id = await adminApi.addProduct({ availableQty: 120 });
  await signUp(page, somebody());
  await page.goto(`/product/${id}`);
  const dialog = await fillBilling(page, 80);
  await dialog.getByRole('button', { name: /^Order 80/ }).click();
  // The dialog says so too while it closes.
  await expect(page.locator('#shortage')).toHaveText('Only 40 left; the minimum order is 50.');

  await page.goto('/dashboard/myOrders');
  await page.getByRole('button', { name: /Cancel order/ }).click();
  const question = page.getByRole('alertdialog');
  await expect(question.getByText('Are you sure')).toHaveText(
    'Are you sure\nYou want to delete this order..!?',
    { useInnerText: true },
  );
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(page.getByRole('button', { name: /Cancel order/ })).toBeFocused();
  await page.keyboard.press('Enter');
  await question.getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('alert')).toContainText('Order canceled');
  await expect(page.getByRole('heading', { name: 'No orders yet' })).toBeVisible();

  await page.goto(`/product/${id}`);
  await expect(page.getByText(/· 120 in stock$/)).toBeVisible();
});

test('a refused card says why, and the next one pays', async ({
  page,
  adminApi,
  consoleErrors,
}) => {
  consoleErrors.allow(402, /\/sandbox\/payment-intents\/confirm/);
  const id = await adminApi.addProduct({ price: 64.35 });
  await signUp(page, somebody());
  await page.goto(`/product/${id}`);
  const dialog = await fillBilling(page, 75);
  await expect(dialog.getByLabel('Price')).toHaveValue('$4,826.25');
  await dialog.getByRole('button', { name: /^Order 75/ }).click();
  await page.getByRole('link', { name: 'Pay now' }).click();

  await fillCard(page, '4000000000000002');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(page.getByRole('alert')).toHaveText('Your card was declined.');
  await expect(page.getByLabel('Card number')).toHaveValue('4000 0000 0000 0002');

  await page.getByRole('button', { name: '4000 0000 0000 9995' }).click();
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(page.getByRole('alert')).toHaveText('Your card has insufficient funds.');

  await page.getByLabel('Card number').fill('4242424242424242');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(page.getByRole('alert')).toContainText('Payment Successful');

  await page.reload();
  await expect(page.getByRole('heading', { name: 'Already paid' })).toBeVisible();
  await expect(page.getByLabel('Card number')).toHaveCount(0);
});

test("another's order and an order that never was are not there", async ({
  page,
  consoleErrors,
}) => {
  consoleErrors.allow(404, /\/orders\//);
  await signUp(page, somebody());
  await page.goto('/dashboard/payment/01900000-0000-7000-8000-000000000000');
  await expect(page.getByRole('heading', { name: "We can't find that order" })).toBeVisible();
});
