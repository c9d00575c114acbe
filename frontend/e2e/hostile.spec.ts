import type { BrowserContext, Page } from '@playwright/test';
import { cut, everythingHostile, hostileStrings, kept } from './fixtures/hostile-strings';
import { emulate, expect, type Guest, somebody, test } from './fixtures/shop';

/** What the dev server and React's development build say of themselves. */
const aboutTheBuild = /^\[(webpack-dev-server|HMR)\]|React DevTools/;

/** Whatever a page says, does or asks that a page which shows text has no reason to. */
function watchClosely(context: BrowserContext): string[] {
  const heard: string[] = [];
  context.on('console', (line) => {
    if (!aboutTheBuild.test(line.text())) heard.push(`console.${line.type()}: ${line.text()}`);
  });
  context.on('dialog', (dialog) => {
    heard.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('response', (answer) => {
    if (answer.status() >= 500) heard.push(`${answer.status()} ${answer.url()}`);
  });
  return heard;
}

async function watched({ page, client }: Guest) {
  const heard = watchClosely(page.context());
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (violation) =>
      console.error(`refused by policy: ${violation.violatedDirective} ${violation.blockedURI}`),
    );
  });
  return { page, client, heard };
}

async function missing(page: Page, texts: readonly string[]): Promise<string[]> {
  return page.evaluate((wanted) => {
    const shown = document.body.textContent;
    return wanted.filter((text) => !shown.includes(text));
  }, texts.map(kept));
}

/** Nothing on the page has run, and nothing makes it scroll sideways. */
async function expectHarmless(page: Page): Promise<void> {
  expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
  for (const width of [390, 1440]) {
    await emulate(page, { colorScheme: 'light', width, height: 900 });
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect.soft(overflow, `${page.url()} scrolls sideways at ${width} px`).toBeLessThanOrEqual(0);
  }
}

/** The texts stand on the page as they were typed, and do no harm. */
async function expectAsText(page: Page, texts: readonly string[]): Promise<void> {
  const message = `${page.url()} shows every text as it was typed`;
  await expect.poll(() => missing(page, texts), { message }).toEqual([]);
  await expectHarmless(page);
}

/** The same over all pages of a list that is narrowed by a search. */
async function expectAsTextInList(page: Page, texts: readonly string[]): Promise<void> {
  // The count is there once the list is, and stays the old one until the next page is there.
  const place = page.getByRole('status').filter({ hasText: 'matching' });
  const next = page.getByRole('button', { name: 'Next', exact: true });
  await expect(place).toBeVisible();
  let left = await missing(page, texts);
  while (left.length > 0 && (await next.count()) > 0 && (await next.isEnabled())) {
    const before = (await place.textContent()) ?? '';
    await next.click();
    await expect(place).not.toHaveText(before);
    left = await missing(page, left);
  }
  expect(left, `${page.url()} shows every text as it was typed`).toEqual([]);
  await expectHarmless(page);
}

test.describe.configure({ timeout: 120_000 });

test('hostile texts in products, orders and names are shown as text on every screen', async ({
  guest,
  adminApi,
}) => {
  const mark = `mark${Date.now()}`;
  const customer = await guest('customer', somebody(cut(everythingHostile, 120)));
  const orders: string[] = [];
  const names: string[] = [];
  for (const { text } of hostileStrings) {
    const name = `${cut(text, 180)} ${mark}`;
    const product = await adminApi.addProduct({ name, description: cut(text, 4000) });
    names.push(name);
    orders.push(
      await customer.client.order(product, {
        name: cut(text, 120),
        phone: cut(text, 40),
        address: cut(text, 500),
      }),
    );
  }
  const whole = await adminApi.addProduct({
    name: cut(everythingHostile, 200),
    description: cut(everythingHostile, 4900),
  });
  const customers = hostileStrings.map(({ text }) => cut(text, 120));
  const addresses = hostileStrings.map(({ text }) => cut(text, 500));

  const { page, heard } = await watched(customer);
  await page.goto(`/shop?q=${mark}`);
  await expect(page.getByRole('article')).toHaveCount(names.length);
  await expectAsText(page, names);

  await page.goto(`/product/${whole}`);
  await expectAsText(page, [cut(everythingHostile, 200), cut(everythingHostile, 4900)]);
  await page.getByRole('button', { name: 'Purchase' }).click();
  const dialog = page.getByRole('dialog', { name: 'Billing Details' });
  await expect(dialog.getByLabel('Name')).toHaveValue(kept(cut(everythingHostile, 120)));
  await dialog.getByLabel('Phone').fill(cut(everythingHostile, 40));
  await dialog.getByLabel('Address').fill(cut(everythingHostile, 500));
  await expectHarmless(page);
  await dialog.getByRole('button', { name: /^Order 50/ }).click();
  await expect(page.getByRole('alert')).toContainText('Product added to my order');
  await page.getByRole('link', { name: 'Pay now' }).click();
  await expect(page.getByRole('button', { name: /^Pay/ })).toBeEnabled();
  await expectHarmless(page);
  await page.goto(`/dashboard/payment/${orders[0]}`);
  await expectAsText(page, [customers[0] ?? '', addresses[0] ?? '', names[0] ?? '']);

  await page.goto('/dashboard/orderTable');
  await expectAsText(page, [...customers, ...names]);
  await page.goto('/dashboard/myOrders');
  await expectAsText(page, [...customers, ...names]);
  await page
    .getByRole('button', { name: /^Cancel order/ })
    .first()
    .click();
  await expectHarmless(page);
  expect(heard).toEqual([]);

  const back = await watched(await guest('admin'));
  await back.page.goto(`/dashboard/orders?q=${encodeURIComponent(customer.client.email)}`);
  await expect(back.page.getByLabel('Search')).toHaveValue(customer.client.email);
  await expectAsTextInList(back.page, [...customers, ...addresses, ...names]);
  await back.page.goto(`/dashboard/allOrderList?q=${encodeURIComponent(customer.client.email)}`);
  await expect(back.page.getByLabel('Search')).toHaveValue(customer.client.email);
  await expectAsTextInList(back.page, [...customers, ...names]);
  await back.page.goto(`/dashboard/manage?q=${encodeURIComponent(mark)}`);
  await expect(back.page.getByLabel('Search')).toHaveValue(mark);
  await expectAsTextInList(back.page, names);
  await back.page
    .getByRole('button', { name: /^Delete/ })
    .first()
    .click();
  await expect(back.page.getByText(/^Are you sure you want to delete this /)).toBeVisible();
  await expectHarmless(back.page);
  expect(back.heard).toEqual([]);
});

test('hostile display names, profiles and reviews are shown as text', async ({ guest }) => {
  const mark = `mark${Date.now()}`;
  const texts = hostileStrings.map(({ text }) => cut(text, 120));
  const crowd = (await guest('visitor')).client;
  for (const [place, name] of texts.entries()) {
    await crowd.signUp({ ...somebody(name), email: `${mark}.${place}@example.com` });
  }
  const back = await watched(await guest('admin'));
  await back.page.goto(`/dashboard/users?q=${encodeURIComponent(mark)}`);
  await expect(back.page.getByLabel('Search')).toHaveValue(mark);
  await expectAsTextInList(back.page, texts);

  const { page, client, heard } = await watched(
    await guest('customer', somebody(cut(everythingHostile, 120))),
  );
  for (let first = 0; first < texts.length; first += 9) {
    const shown = texts.slice(first, first + 9).map((text) => cut(text, 40));
    const info = {
      updatedStudyIn: cut(shown.slice(0, 4).join(' '), 200),
      updatedLivesIn: cut(shown.slice(4, 8).join(' '), 200),
      updatedPhone: shown[8] ?? '',
    };
    await client.done('PUT', `/info?email=${encodeURIComponent(client.email)}`, info);
    await page.goto('/dashboard/profile');
    await expectAsText(page, [...Object.values(info), cut(everythingHostile, 120)]);
  }

  // Home has room for three reviews, so three hold everything; another journey may push them down meanwhile.
  const reviews = [0, 1, 2].map((third) => ({
    name: texts[third] ?? '',
    rating: third,
    details: hostileStrings
      .slice(third * 12, third * 12 + 12)
      .map(({ text }) => cut(text, 150))
      .join(' '),
  }));
  await expect(async () => {
    for (const review of reviews) {
      await client.done('POST', '/reviews', { ...review, name: cut(review.name, 80) });
    }
    await page.goto('/');
    const quotes = page.getByRole('blockquote');
    await expect(quotes).toHaveCount(3);
    expect(
      await missing(
        page,
        reviews.map(({ details }) => details),
      ),
    ).toEqual([]);
  }).toPass();
  await expectHarmless(page);
  expect([...heard, ...back.heard]).toEqual([]);
});

test('hostile texts typed into forms come back as text, or are refused in a sentence', async ({
  guest,
  consoleErrors,
}) => {
  consoleErrors.allow(401, /\/auth\/login/);
  const { page, heard } = await watched(await guest('visitor'));
  const allowed = /console.error: .*status of 401/;
  await page.goto('/login');
  const form = page.getByRole('main');
  for (const { text } of hostileStrings.slice(0, 6)) {
    await form.getByLabel('Email', { exact: true }).fill(cut(text, 200));
    await form.getByLabel('Password', { exact: true }).fill(text);
    await form.getByRole('button', { name: 'Login', exact: true }).click();
    await expect(form.getByText('Please enter a valid email')).toBeVisible();
  }
  await form.getByLabel('Email', { exact: true }).fill(somebody().email);
  await form.getByLabel('Password', { exact: true }).fill(cut(everythingHostile, 120));
  await form.getByRole('button', { name: 'Login', exact: true }).click();
  await expect(form.getByRole('alert')).toHaveText('Incorrect email or password.');
  await expectHarmless(page);

  const newsletter = page.getByRole('contentinfo').getByRole('textbox');
  await newsletter.fill(everythingHostile);
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await expect(page.getByText('Please enter a valid email').last()).toBeVisible();

  for (const { text } of [...hostileStrings.slice(0, 4), { text: everythingHostile }]) {
    await page.goto(`/shop?q=${encodeURIComponent(cut(text, 200))}`);
    await expect(page.getByRole('heading', { name: /^No parts match/ })).toBeVisible();
    await expect(page.getByLabel('Search')).toHaveValue(cut(text, 200));
  }
  await expectHarmless(page);
  expect(heard.filter((line) => !allowed.test(line))).toEqual([]);

  const back = await watched(await guest('admin'));
  await back.page.goto('/dashboard/addProduct');
  await back.page.getByLabel('Category').selectOption('TIRES');
  await back.page.getByLabel('Product Name').fill(cut(everythingHostile, 200));
  await back.page.getByLabel('Description').fill(everythingHostile);
  await back.page.getByLabel('Available Quantity').fill('50');
  await back.page.getByLabel('Price per Product').fill('1');
  await back.page.getByLabel('Image').setInputFiles({
    name: '<img src=x onerror=alert(1)>.png',
    mimeType: 'image/png',
    buffer: Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
      'base64',
    ),
  });
  await back.page.getByRole('main').getByRole('button', { name: 'Add Product' }).click();
  const added = back.page.getByRole('link', { name: kept(cut(everythingHostile, 200)) });
  await expect(added).toBeVisible();
  await expectHarmless(back.page);
  const address = (await added.getAttribute('href')) ?? '';
  await back.client.removeProduct(address.split('/').at(-1) ?? '');
  expect(back.heard).toEqual([]);
});

test("no hostile text in any call is more than the caller's mistake", async ({ guest }) => {
  const { client } = await guest('customer');
  const answers: string[] = [];
  const send = async (method: string, path: string, data?: unknown) => {
    const { status, body } = await client.call(method, path, data);
    if (status >= 500) answers.push(`${method} ${path}: ${status} ${JSON.stringify(body)}`);
  };
  for (const { text } of [...hostileStrings, { text: '\u0000' }, { text: '\ud800' }]) {
    const word = encodeURIComponent(Buffer.from(text.slice(0, 300)).toString());
    await send('GET', `/products?q=${word}`);
    await send('GET', `/products/${word}`);
    await send('GET', `/orders?email=${word}`);
    await send('POST', '/newsletter', { email: text });
    await send('POST', '/auth/login', { email: text, password: text });
    await send('POST', '/auth/signup', { name: text, email: text, password: text });
    await send('POST', '/reviews', { name: text, rating: 3, details: text });
    await send('PUT', `/info?email=${word}`, { updatedGithub: text });
    await send('POST', '/info', { studyIn: text, livesIn: text, phone: text, github: text });
    await send('PATCH', '/auth/me', { displayName: text, photoURL: text });
    await send('POST', '/orders', { name: text, email: client.email, quantity: 50, phone: text });
  }
  expect(answers).toEqual([]);
});
