import { publicScreens } from './fixtures/screens';
import { expect, test } from './fixtures/shop';

test("a visitor's pages make no refused call and say nothing to the console", async ({
  page,
  baseURL,
}) => {
  const said: string[] = [];
  const refused: string[] = [];
  page.on('console', (message) => {
    // Browsers advise a field for the account's name, which nobody knows who comes by an e-mailed link.
    const isAdvice = message.text().startsWith('[DOM] Password forms should have');
    const { pathname } = new URL(page.url());
    if (!isAdvice || pathname !== '/reset-password') said.push(message.text());
  });
  page.on('response', (answer) => {
    if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`);
  });
  const strangers: string[] = [];
  page.on('request', (call) => {
    if (new URL(call.url()).origin !== new URL(baseURL ?? '').origin) strangers.push(call.url());
  });
  for (const { path } of publicScreens) {
    const answer = await page.goto(path);
    expect(answer?.status()).toBe(200);
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
    // To the end of the page and back, so that whatever loads late has loaded.
    await page.mouse.wheel(0, 20_000);
    await page.waitForLoadState('networkidle');
  }
  expect(said).toEqual([]);
  expect(refused).toEqual([]);
  expect(strangers).toEqual([]);
});

test('an address that is not there is a 404 with a way home', async ({ page, consoleErrors }) => {
  consoleErrors.allow(404, /\/no-such-page/);
  const answer = await page.goto('/no-such-page');
  expect(answer?.status()).toBe(404);
  await expect(page.getByText('OPSS! PAGE NOT FOUND')).toBeVisible();
  await expect(page.getByText("Sorry, the page you're looking for doesn't exist.")).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: /home/i }).click();
  await expect(page).toHaveURL(/\/$/);
});

test('what a visitor may not see sends to Login', async ({ page }) => {
  await page.goto('/dashboard/myOrders');
  await expect(page).toHaveURL(/\/login$/);
});

test('who is led to Login reads no warning in the console, however long they stay', async ({
  page,
  adminApi,
}) => {
  await page.goto(`/product/${await adminApi.addProduct()}`);
  await expect(page).toHaveURL(/\/login$/);
  // Browsers warn of what was loaded ahead and not used some three seconds after the page.
  await page.waitForTimeout(6000);
});
