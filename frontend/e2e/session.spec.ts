import { expect, fillBilling, fillLogin, logIn, signUp, somebody, test } from './fixtures/shop';

test('a wrong password keeps what was typed and says so', async ({ page, consoleErrors }) => {
  consoleErrors.allow(401, /\/auth\/login/);
  const account = somebody();
  await page.goto('/login');
  await fillLogin(page, { ...account, password: 'not-the-password' });
  const form = page.getByRole('main');
  await expect(form.getByRole('alert')).not.toBeEmpty();
  await expect(form.getByLabel('Email', { exact: true })).toHaveValue(account.email);
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('not-the-password');
  await expect(page).toHaveURL(/\/login$/);
});

test('after signing in one is where one wanted to be', async ({
  page,
  adminApi,
  consoleErrors,
}) => {
  // What Home still asks for at that moment is refused.
  consoleErrors.allow(401, /\/orders\?/);
  const id = await adminApi.addProduct();
  const account = somebody();
  await signUp(page, account);
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('link', { name: 'Login' }).first()).toBeVisible();

  await page.goto(`/product/${id}`);
  await expect(page).toHaveURL(/\/login$/);
  await fillLogin(page, account);
  await expect(page).toHaveURL(new RegExp(`/product/${id}$`));
  await expect(page.getByRole('button', { name: 'Purchase' })).toBeVisible();
});

test('a tab learns that the session was ended in another', async ({
  page,
  context,
  consoleErrors,
}) => {
  // What the other tab still asks for at that moment is refused.
  consoleErrors.allow(401, /./);
  const account = somebody();
  await signUp(page, account);
  const second = await context.newPage();
  await second.goto('/dashboard/myOrders');
  await expect(second.getByRole('heading', { name: 'No orders yet' })).toBeVisible();

  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(second).toHaveURL(/\/login$/);
  await expect(second.getByText('You were signed out in another tab.')).toBeVisible();

  await logIn(page, account);
  await expect(second).toHaveURL(/\/dashboard\/myOrders$/);
});

test('a session that ends under the form costs nothing that was typed', async ({
  page,
  context,
  adminApi,
  consoleErrors,
}) => {
  consoleErrors.allow(401, /\/(orders|user)/);
  const id = await adminApi.addProduct();
  const account = somebody();
  await signUp(page, account);
  await page.goto(`/product/${id}`);
  const dialog = await fillBilling(page, 75);

  // Ends it on the server alone, as from another browser: this page has not heard of it.
  await context.request.post('/auth/logout');
  await dialog.getByRole('button', { name: /^Order 75/ }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByText('You were signed out before your order went through')).toBeVisible();

  await fillLogin(page, account);
  await expect(page).toHaveURL(new RegExp(`/product/${id}$`));
  await expect(dialog).toBeVisible();
  await expect(dialog).toContainText("You were signed out, so the order wasn't placed.");
  await expect(dialog.getByLabel('Phone')).toHaveValue('555 0100');
  await expect(dialog.getByLabel('Address')).toHaveValue('1 Workshop Lane, Detroit');
  await expect(dialog.getByLabel('Quantity')).toHaveValue('75');
  await dialog.getByRole('button', { name: /^Order 75/ }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    'Product added to my order',
  );
});

test('what one person typed is not shown to the next', async ({ page, adminApi }) => {
  const id = await adminApi.addProduct();
  await signUp(page, somebody('First Person'));
  await page.goto(`/product/${id}`);
  const dialog = await fillBilling(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await page.getByRole('button', { name: 'Purchase' }).click();
  await expect(dialog.getByLabel('Address')).toHaveValue('1 Workshop Lane, Detroit');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/$/);

  await signUp(page, somebody('Second Person'));
  await page.goto(`/product/${id}`);
  await page.getByRole('button', { name: 'Purchase' }).click();
  await expect(dialog.getByLabel('Name')).toHaveValue('Second Person');
  await expect(dialog.getByLabel('Address')).toHaveValue('');
});

test('My Orders signs out and goes Home when the shop refuses', async ({
  page,
  context,
  consoleErrors,
}) => {
  consoleErrors.allow(401, /\/(orders|user|auth)/);
  await signUp(page, somebody());
  await page.goto('/dashboard/profile');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  // Whatever the profile asks has its answer, so that My Order is the first to be refused.
  await page.waitForLoadState('networkidle');
  await context.request.post('/auth/logout');
  await page.getByRole('link', { name: 'My Order', exact: true }).click();
  await expect(page).toHaveURL(/\/$/);
  await expect(page.getByRole('link', { name: 'Login' }).first()).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull();
});

test('a customer who opens an admin screen is shown why not, without a redirect loop', async ({
  page,
}) => {
  await signUp(page, somebody());
  await page.goto('/dashboard/orders');
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('main').getByRole('link', { name: /home/i })).toBeVisible();
});

test('whoever wants a part and continues with Google comes back to the part', async ({
  page,
  adminApi,
}) => {
  const name = `Part for Google ${Date.now()}`;
  const id = await adminApi.addProduct({ name });
  await page.goto(`/product/${id}`);
  await page.getByRole('link', { name: 'Create New Account' }).click();
  await expect(page.getByText(`Sign up to order ${name}`)).toBeVisible();

  // Thought better of it: the part is still named.
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.getByText('Cancel').click();
  await expect(page).toHaveURL(/\/login\?error=google_cancelled$/);
  await expect(page.getByText(`Log in to order ${name}`)).toBeVisible();

  await page.getByRole('link', { name: 'Create New Account' }).click();
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.getByRole('link', { name: /^Robin Vale/ }).click();
  await expect(page).toHaveURL(new RegExp(`/product/${id}$`));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
});
