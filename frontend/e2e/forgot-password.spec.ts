import { expectAccessible } from './fixtures/axe';
import { linkFor } from './fixtures/emails';
import { expect, fillLogin, signUp, somebody, test } from './fixtures/shop';

test.describe.configure({ mode: 'parallel', timeout: 120_000 });

test('a forgotten password is replaced by the link of an e-mail, which works once', async ({
  page,
  anotherPage,
  consoleErrors,
}) => {
  consoleErrors.allow(401, /\/auth\/login/);
  consoleErrors.allow(410, /\/auth\/password\/reset/);
  consoleErrors.allow(401, /\/(auth\/me|user)/);
  const account = somebody();
  const elsewhere = await anotherPage();
  await signUp(elsewhere, account);

  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(page).toHaveURL(/\/forgot-password$/);
  // Login has an Email too, and stays until this screen's code is there.
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
  await page.getByRole('main').getByLabel('Email', { exact: true }).fill(account.email);
  await page.getByRole('button', { name: 'Send reset link' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    `If there's an account for ${account.email}, we've sent an email with a reset link.`,
  );
  await expectAccessible(page, '/forgot-password, asked');

  const link = await linkFor(account.email, '/reset-password');
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token') ?? '';
  const sent: string[] = [];
  page.on('request', (request) => {
    const { referer = '' } = request.headers();
    // For a font of the page's own style Chromium does not mind the page's policy; it comes from the shop itself.
    if (request.isNavigationRequest() || request.resourceType() === 'font') return;
    if (request.url().includes(token) || referer.includes(token)) sent.push(request.url());
  });
  await page.goto(link);
  await expect(page).toHaveURL(/\/reset-password$/);
  const other = { ...account, password: 'another-workshop-43' };
  await page.getByLabel('New password').fill(other.password);
  await expectAccessible(page, '/reset-password');
  await page.getByRole('button', { name: 'Save new password' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    `Password changed for ${account.email}.`,
  );
  await expectAccessible(page, '/reset-password, done');
  expect(sent, 'what the link holds goes nowhere but into the call').toEqual([]);

  // Whoever was signed in with the old one is not any more.
  await elsewhere.goto('/dashboard/profile');
  await expect(elsewhere).toHaveURL(/\/login$/);
  await fillLogin(elsewhere, account);
  await expect(elsewhere.getByRole('main').getByRole('alert')).not.toBeEmpty();

  await page.getByRole('main').getByRole('link', { name: 'Login' }).click();
  await fillLogin(page, other);
  await expect(page).toHaveURL(/\/$/);

  await page.goto(link);
  await page.getByLabel('New password').fill('a-third-workshop');
  await page.getByRole('button', { name: 'Save new password' }).click();
  await expect(page.getByText('This link has expired or has already been used.')).toBeVisible();
  await expectAccessible(page, '/reset-password, gone');
  await page.getByRole('link', { name: 'Send a new link' }).click();
  await expect(page).toHaveURL(/\/forgot-password$/);
});

test('the profile says that an address is not confirmed, until its e-mail was answered', async ({
  page,
}) => {
  const account = somebody();
  await signUp(page, account);
  await page.goto('/dashboard/profile');
  await expect(page.getByText("Your email isn't verified yet.")).toBeVisible();
  await page.getByRole('button', { name: 'Resend email' }).click();
  await expect(page.getByText('Verification email sent.')).toBeVisible();
  await expectAccessible(page, '/dashboard/profile, not confirmed');

  await page.goto(await linkFor(account.email, '/verify-email'));
  await expect(page).toHaveURL(/\/verify-email$/);
  await expectAccessible(page, '/verify-email');
  await page.getByRole('button', { name: 'Confirm email' }).click();
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    `${account.email} is confirmed.`,
  );
  await page.goto('/dashboard/profile');
  await expect(page.getByRole('heading', { name: 'More info' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  await expect(page.getByText("Your email isn't verified yet.")).toHaveCount(0);
});

test('half a link says so, and Forgot your password works by keyboard alone', async ({ page }) => {
  for (const path of ['/reset-password', '/verify-email']) {
    await page.goto(path);
    await expect(page.getByRole('main').getByRole('alert')).toContainText(
      'This link is incomplete.',
    );
    await expectAccessible(page, `${path} without a token`);
  }
  await page.goto('/forgot-password');
  await page.getByRole('main').getByLabel('Email', { exact: true }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main').getByText('Email is required')).toBeVisible();
  await expect(page.getByRole('main').getByLabel('Email', { exact: true })).toBeFocused();
  await expectAccessible(page, '/forgot-password with an error');
  await page.keyboard.type('nobody@example.com');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main').getByRole('alert')).toContainText(
    "we've sent an email with a reset link",
  );
});
