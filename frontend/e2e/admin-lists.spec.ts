import { expect, somebody, test } from './fixtures/shop';

test('orders are searched, narrowed, sorted and paged by the shop, and the address keeps it', async ({
  guest,
  adminApi,
}) => {
  test.slow();
  const mark = `Buyer ${Date.now()}`;
  const product = await adminApi.addProduct({ price: 10, availableQty: 100_000 });
  const customer = await guest('customer', somebody(mark));
  const ids: string[] = [];
  for (let place = 0; place < 21; place += 1) {
    ids.push(await customer.client.order(product, { quantity: 50 + place }));
  }
  await adminApi.ship(ids[0] ?? '');

  const { page } = await guest('admin');
  await page.goto('/dashboard/allOrderList');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^My Orders: \d/);
  const heading = (await page.getByRole('heading', { level: 1 }).textContent()) ?? '';
  await page.getByLabel('Search').fill(mark);
  await expect(page.getByText('1–20 of more than 20 matching orders')).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(heading);

  await page.getByLabel('Sort by').selectOption('Price: low to high');
  await expect(page.getByRole('row').nth(1)).toContainText('$500.00');
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('21–21 of 21 matching orders')).toBeVisible();
  await expect(page.getByRole('row').nth(1)).toContainText(/^21.*\$700\.00/s);
  await page.reload();
  await expect(page.getByText('21–21 of 21 matching orders')).toBeVisible();
  await expect(page.getByLabel('Search')).toHaveValue(mark);
  await page.getByRole('button', { name: 'Previous' }).click();
  await expect(page.getByText('1–20 of more than 20 matching orders')).toBeVisible();
  await page.goBack();
  await expect(page.getByText('21–21 of 21 matching orders')).toBeVisible();

  await page.getByLabel('Show').selectOption('Shipped');
  await expect(page.getByText('1 matching order', { exact: true })).toBeVisible();
  await expect(page.getByRole('row').nth(1)).toContainText('$500.00');
  await page.getByRole('link', { name: 'Vented Disc of a Journey' }).click();
  await expect(page).toHaveURL(new RegExp(`/dashboard/order/${ids[0]}$`));
  await page.goBack();
  await expect(page.getByText('1 matching order', { exact: true })).toBeVisible();
});

test('an address from elsewhere opens its page, and the way back begins at the first one', async ({
  guest,
  adminApi,
}) => {
  const mark = `Shelf ${Date.now()}`;
  for (let place = 1; place <= 21; place += 1) {
    await adminApi.addProduct({ name: `${mark} no ${place}`, category: 'TIRES' });
  }
  const { page, client } = await guest('admin');
  await page.goto(`/dashboard/manage?q=${encodeURIComponent(mark)}&category=TIRES`);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page.getByText('21–21 of 21 matching products')).toBeVisible();
  const address = page.url();

  const fresh = await guest('admin', client.account ?? undefined);
  await fresh.page.goto(address);
  await expect(fresh.page.getByText('21–21 of 21 matching products')).toBeVisible();
  await expect(fresh.page.getByLabel('Category')).toHaveValue('TIRES');
  await fresh.page.getByRole('button', { name: 'First page' }).click();
  await expect(fresh.page.getByText('1–20 of 21 matching products')).toBeVisible();
});

test('shipping and deleting work under a search, and what is left of the page stays', async ({
  guest,
  adminApi,
}) => {
  const mark = `Shipper ${Date.now()}`;
  const product = await adminApi.addProduct();
  const customer = await guest('customer', somebody(mark));
  const paid = await customer.client.order(product, { quantity: 51 });
  await customer.client.pay(paid);
  await customer.client.order(product, { quantity: 52 });

  const { page } = await guest('admin');
  await page.goto(`/dashboard/orders?q=${encodeURIComponent(mark)}&state=waiting`);
  await expect(page.getByRole('article')).toHaveCount(2);
  const [unpaidCard, paidCard] = [
    page.getByRole('article').first(),
    page.getByRole('article').last(),
  ];
  await expect(paidCard.getByRole('button', { name: /^Delete Order/ })).toBeDisabled();
  await paidCard.getByRole('button', { name: /^Approve Booking/ }).click();
  await expect(page.getByText('Ship This Boat..!?')).toBeVisible();
  await page.getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('alert')).toContainText('Product Shipped...!!!');
  await expect(page.getByText('1 matching order', { exact: true })).toBeVisible();

  await unpaidCard.getByRole('button', { name: /^Delete Order/ }).click();
  await expect(
    page.getByText(/^Are you sure\s+You want to delete this order\.\.!\?$/),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('heading', { name: 'No orders match your search' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all orders' }).click();
  await expect(page).toHaveURL(/\/dashboard\/orders$/);
});

test('the admin role is given and taken back, and bites at once', async ({ guest }) => {
  const account = somebody('Rory Role');
  const them = await guest('customer', account);
  const { page } = await guest('admin');
  await page.goto(`/dashboard/users?q=${encodeURIComponent(account.email)}`);
  await expect(page.getByText('1 matching user', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: `Make Admin ${account.email}` }).click();
  await expect(page.getByText('Successfully made an admin')).toBeVisible();
  await expect(page.getByRole('button', { name: `Make Admin ${account.email}` })).toHaveCount(0);
  await them.page.goto('/dashboard/users');
  await expect(them.page.getByRole('heading', { level: 1 })).toHaveText(/^All users: \d/);

  await page.getByRole('button', { name: `Remove Admin ${account.email}` }).click();
  await expect(page.getByText(`Remove admin access for ${account.email}?`)).toBeVisible();
  await page.getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByText(`${account.email} is no longer an admin.`)).toBeVisible();
  await expect(page.getByRole('button', { name: `Make Admin ${account.email}` })).toBeVisible();
  await them.page.goto('/dashboard/users');
  await expect(them.page).toHaveURL(/\/login$/);
  expect((await them.client.call('GET', '/user')).status).toBe(403);
});

test('who gives up their own role finds themselves at their profile', async ({
  guest,
  adminApi,
}) => {
  const account = somebody('Sam Stepdown');
  const them = await guest('customer', account);
  await adminApi.done('PUT', `/user/admin/${encodeURIComponent(account.email)}`);
  await them.page.goto(`/dashboard/users?q=${encodeURIComponent(account.email)}`);
  await expect(
    them.page.getByRole('button', { name: `Remove User ${account.email}` }),
  ).toBeDisabled();
  await expect(them.page.getByText("You can't remove yourself.")).toBeVisible();
  await them.page.getByRole('button', { name: `Remove Admin ${account.email}` }).click();
  await expect(them.page.getByText("You'll lose admin access immediately.")).toBeVisible();
  await them.page.getByRole('button', { name: 'Yes' }).click();
  await expect(them.page).toHaveURL(/\/dashboard\/profile$/);
  await expect(them.page.getByText("You're no longer an admin.")).toBeVisible();
  await expect(them.page.getByRole('link', { name: 'Order Table' })).toBeVisible();
});

test('people are narrowed by role and sorted by the shop', async ({ guest }) => {
  const { page } = await guest('admin');
  await page.goto('/dashboard/users');
  await page.getByLabel('Role').selectOption('Admins');
  await expect(page).toHaveURL(/\?role=admin$/);
  await expect(page.getByRole('status').filter({ hasText: 'matching user' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Make Admin/ })).toHaveCount(0);
  await page.getByLabel('Role').selectOption('All roles');
  await expect(page).toHaveURL(/\/dashboard\/users$/);
  await page.getByLabel('Sort by').selectOption('Email');
  await expect(page).toHaveURL(/\?sort=email$/);
  await expect(page.getByRole('table').getByText('@').first()).toBeVisible();
});
