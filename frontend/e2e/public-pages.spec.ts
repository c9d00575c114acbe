import { expectAccessible } from './fixtures/axe';
import { expect, test } from './fixtures/shop';

/** What a page says as JSON-LD, by its type. */
function dataOf(html: string, type: string): Record<string, unknown> | undefined {
  const elements = html.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/gs);
  return [...elements]
    .map(([, json = '']) => JSON.parse(json) as Record<string, unknown>)
    .find((data) => data['@type'] === type);
}

test('from a landing page to a part, and by Purchase to Login and back', async ({ page }) => {
  await page.goto('/shop/brakes');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Brake Parts');
  const first = page.getByRole('main').getByRole('listitem').getByRole('heading').first();
  const name = (await first.textContent()) ?? '';
  await first.getByRole('link').click();
  await expect(page).toHaveURL(/\/parts\/[a-z0-9-]+$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
  await page.getByRole('link', { name: 'Purchase' }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.getByRole('main').getByLabel('Email', { exact: true }).fill('customer@example.com');
  await page.getByLabel('Password', { exact: true }).fill('demo-password');
  await page.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(page).toHaveURL(/\/product\//);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);
});

test('a page of the server is read without scripts, and kept by the client', async ({
  page,
  browser,
  baseURL,
}) => {
  const [product] = await (await page.request.get('/products?limit=1')).json();
  const html = await (await page.request.get(`/parts/${product._id}`)).text();
  expect(dataOf(html, 'Product')).toMatchObject({ name: product.name });

  const reader = await browser.newContext({
    javaScriptEnabled: false,
    ...(baseURL ? { baseURL } : {}),
  });
  const plain = await reader.newPage();
  await plain.goto(`/parts/${product._id}`);
  await expect(plain.getByRole('heading', { level: 1 })).toHaveText(product.name);
  await expect(plain.getByRole('link', { name: 'Purchase' })).toBeVisible();
  await reader.close();

  await page.goto(`/parts/${product._id}`);
  const title = await page.title();
  const about = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'About' });
  await about.click();
  await expect(page).toHaveURL(/\/about$/);
  await page.goBack();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(product.name);
  expect(await page.title()).toBe(title);
  // In a tab that begins elsewhere, it comes from the server.
  await page.goto('/about');
  await page.evaluate((id) => history.pushState(null, '', `/parts/${id}`), product._id);
  await page.evaluate(() => dispatchEvent(new PopStateEvent('popstate')));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(product.name);
});

test('pages of the server, as they come', async ({ page, consoleErrors, adminApi }) => {
  test.setTimeout(300_000);
  consoleErrors.allow(404, /\/parts\/no-such-part/);
  consoleErrors.allow(410, /\/parts\//);
  const [product] = await (await page.request.get('/products?limit=1')).json();
  await page.goto(`/parts/${product._id}`);
  await expectAccessible(page, 'a part');
  await page.goto('/shop/brakes');
  await expectAccessible(page, 'a category');
  await page.goto('/parts/no-such-part');
  await expectAccessible(page, 'no part');
  const sold = await adminApi.addProduct();
  await adminApi.removeProduct(sold);
  await page.goto(`/parts/${sold}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This part is no longer sold');
  await expectAccessible(page, 'a part that is not sold any more');
});
