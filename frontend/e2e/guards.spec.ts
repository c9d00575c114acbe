import { expect, fillLogin, logIn, somebody, test } from './fixtures/shop';

test('while it is unknown who somebody is a spinner shows, and neither screen nor Login', async ({
  guest,
}) => {
  const { page } = await guest('customer');
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/auth/me', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/dashboard/orderTable');
  const main = page.getByRole('main');
  await expect(main.getByRole('status')).toHaveText('Checking your sign-in…');
  await expect(page.getByRole('heading', { name: /My Orders|Login/ })).toHaveCount(0);
  await expect(page).toHaveURL(/\/dashboard\/orderTable$/);
  release();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Orders: 0');
});

test('a sign-in that cannot be checked ends in an error, and Retry leads in', async ({
  guest,
  consoleErrors,
}) => {
  consoleErrors.allow(503, /\/auth\/me/);
  const { page } = await guest('customer');
  await page.route('**/auth/me', (route) => route.fulfill({ status: 503, body: '' }));
  await page.goto('/dashboard/orderTable');
  await expect(page.getByText("We couldn't check whether you're signed in")).toBeVisible();
  await expect(page).toHaveURL(/\/dashboard\/orderTable$/);
  await page.unroute('**/auth/me');
  await page.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('My Orders: 0');
});

test('an answer that never comes ends in the same error', async ({ guest }) => {
  test.slow();
  const { page } = await guest('customer');
  await page.clock.install();
  const answers: (() => void)[] = [];
  await page.route('**/auth/me', async (route) => {
    await new Promise<void>((done) => answers.push(done));
    await route.abort().catch(() => undefined);
  });
  await page.goto('/dashboard/orderTable');
  await expect(page.getByText('Checking your sign-in')).toBeAttached();
  // Twenty seconds for all tries together, and the pauses between them.
  for (let second = 0; second < 30; second += 1) await page.clock.runFor(1000);
  await expect(page.getByText("We couldn't check whether you're signed in")).toBeVisible();
  await expect(page.getByRole('button', { name: 'Retry' })).toBeVisible();
  for (const answer of answers) answer();
});

test('Login leads back to the whole address that was asked for', async ({ guest, page }) => {
  const account = somebody();
  await guest('customer', account);
  await page.goto('/dashboard/review?from=mail#stars');
  await expect(page).toHaveURL(/\/login$/);
  await fillLogin(page, account);
  await expect(page).toHaveURL(/\/dashboard\/review\?from=mail#stars$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add Review');
});

test('the redirect waits for the access token', async ({ guest, page }) => {
  const account = somebody();
  await guest('customer', account);
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/user/**', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/login');
  const loggedIn = page.waitForResponse('**/auth/login');
  await fillLogin(page, account);
  expect((await loggedIn).status()).toBe(200);
  await expect(page.getByRole('main').getByRole('status')).toHaveText('Logging in…');
  await expect(page).toHaveURL(/\/login$/);
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull();
  release();
  await expect(page).toHaveURL(/\/$/);
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).not.toBeNull();
});

test('while the role loads a spinner shows, and then the screen for admins', async ({ guest }) => {
  const { page } = await guest('admin');
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route('**/admin/admin%40example.com', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/dashboard/users');
  await expect(page.getByRole('main').getByText('Checking your permissions')).toBeAttached();
  await expect(page).toHaveURL(/\/dashboard\/users$/);
  release();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^All users/);
});

test('an admin who signs in at an admin address is led there, a customer is shown why not', async ({
  guest,
  page,
}) => {
  const account = somebody();
  await guest('customer', account);
  await page.goto('/dashboard/manage');
  await expect(page).toHaveURL(/\/login$/);
  await fillLogin(page, account);
  const reason = page.getByRole('main').getByRole('alert');
  await expect(reason).toContainText('That page is for admins');
  await expect(reason).toContainText(account.email);
  await page.getByRole('main').getByRole('button', { name: 'Use another account' }).click();
  await fillLogin(page, { name: '', email: 'admin@example.com', password: 'demo-password' });
  await expect(page).toHaveURL(/\/dashboard\/manage$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Manage Products');
});

test('a token that is no good any more is renewed without a word', async ({
  guest,
  consoleErrors,
}) => {
  consoleErrors.allow(401, /\/info/);
  const { page } = await guest('customer');
  await page.goto('/dashboard/blog');
  const menu = page.getByRole('complementary');
  await expect(menu.getByRole('link', { name: 'My Order' })).toBeVisible();
  await page.evaluate(() => localStorage.setItem('accessToken', 'not.a.token'));
  const renewed = page.waitForResponse(
    (answer) => answer.request().method() === 'PUT' && answer.url().includes('/user/'),
  );
  await menu.getByRole('link', { name: 'My Profile' }).click();
  expect((await renewed).status()).toBe(200);
  await expect(page.getByRole('button', { name: 'Add Info' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).not.toBe('not.a.token');
});

test('a removed person is out with the next click, and stays out', async ({
  guest,
  adminApi,
  consoleErrors,
}) => {
  consoleErrors.allow(401, /\/(info|user|auth|admin)/);
  const account = somebody();
  const { page, client } = await guest('customer', account);
  await page.goto('/dashboard/blog');
  await expect(
    page.getByRole('complementary').getByRole('link', { name: 'My Order' }),
  ).toBeVisible();
  await adminApi.done('DELETE', `/user/${encodeURIComponent(client.email)}`);
  await page.getByRole('complementary').getByRole('link', { name: 'My Profile' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await fillLogin(page, account);
  await expect(page.getByRole('main').getByRole('alert')).not.toBeEmpty();
  await expect(page).toHaveURL(/\/login$/);
});

test('Sign Out in one tab empties the screens of the other', async ({ guest, consoleErrors }) => {
  // What the other tab still asks for at that moment is refused.
  consoleErrors.allow(401, /./);
  const account = somebody();
  const { page } = await guest('customer', account);
  await page.goto('/shop');
  const other = await page.context().newPage();
  await other.goto('/dashboard/profile');
  await expect(other.getByRole('main').getByText(account.email)).toBeVisible();
  await page.getByRole('banner').getByRole('button', { name: 'Sign Out' }).click();
  await expect(other).toHaveURL(/\/login$/);
  await expect(other.getByText(account.email)).toHaveCount(0);
  expect(await other.evaluate(() => localStorage.getItem('accessToken'))).toBeNull();
  await logIn(page, account);
  await expect(other).toHaveURL(/\/dashboard\/profile$/);
});
