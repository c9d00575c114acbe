import { createHash } from 'node:crypto';
import type { Page } from '@playwright/test';
import { publicScreens } from './fixtures/screens';
import { expect, signUp, somebody, test } from './fixtures/shop';

/** The pages that are rendered when the client is built. A link's token stands behind `?`, since behind `#` it loads no page anew. */
const pages = [
  ...publicScreens.map(({ path }) => path.replace('#', '?')),
  '/shop?category=BRAKES&inStock=true',
  '/nowhere',
];
const widths = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
const themes = ['light', 'dark'] as const;

/** Until the page is a living one: what only its scripts know is on it. */
async function livens(page: Page, signedIn: boolean): Promise<void> {
  const link = page
    .getByRole('contentinfo')
    .getByRole('link', { name: signedIn ? 'Dashboard' : 'Login' });
  await expect(link).toBeVisible();
  await page.waitForFunction(
    () => document.querySelector('link[rel="stylesheet"]')?.getAttribute('media') === 'all',
  );
  await page.waitForLoadState('networkidle');
}

/** Opens a page that brings data along. One that takes the shop too long to look up does not, as on a busy machine. */
async function gotoWithData(page: Page, path: string): Promise<void> {
  await expect(async () => {
    const answer = await page.goto(path, { waitUntil: 'commit' });
    expect(await answer?.text()).toContain('id="first-data"');
  }).toPass();
}

/** Holds the client back until `look` has seen the page as it came. */
async function beforeScripts(
  page: Page,
  path: string,
  look: () => Promise<void>,
  open: (page: Page, path: string) => Promise<unknown> = (page, path) =>
    page.goto(path, { waitUntil: 'commit' }),
): Promise<void> {
  let go: (() => void) | undefined;
  const ready = new Promise<void>((done) => {
    go = done;
  });
  await page.route('**/assets/main-*.js', async (route) => {
    await ready;
    await route.continue();
  });
  await open(page, path);
  await look();
  go?.();
}

test('Home without JavaScript shows what it is, in its own looks, and says what it needs', async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({
    ...(baseURL ? { baseURL } : {}),
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(
    'Aftermarket Turbocharger Specialist',
  );
  for (const name of ['Top Hot Deals', 'Top Categories', 'Our customers reviews']) {
    await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible();
  }
  await expect(page.locator('img[src^="/pictures/hero-turbo"]')).toBeVisible();
  const categories = page.getByRole('region', { name: 'Top Categories' });
  await expect(categories.getByRole('listitem')).toHaveCount(6);
  // Found by its place: text inside <noscript> is none to Playwright.
  const note = page.locator('noscript p');
  await expect(note).toBeVisible();
  expect(await note.textContent()).toContain('Driveline needs JavaScript.');
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS(
    'font-family',
    /Barlow Condensed/,
  );
  await expect(page.getByText('Loading…')).toHaveCount(0);
  await context.close();
});

test('the bare background counts for no paint', async ({ page }) => {
  await page.addInitScript(() => {
    // A browser that tells of a first paint, and of none with content.
    class Blank {
      observe() {
        this.tell({ getEntriesByName: (name: string) => (name === 'first-paint' ? [{}] : []) });
      }
      disconnect() {}
      constructor(private readonly tell: (paints: object) => void) {}
    }
    Object.assign(window, { PerformanceObserver: Blank });
  });
  await page.goto('/');
  await livens(page, false);
  const early = await page.evaluate(() => {
    const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    return files
      .filter(({ name }) => /\/assets\/.*\.(js|css)$/.test(name))
      .map(({ fetchStart }) => fetchStart - (visit?.domContentLoadedEventStart ?? 0));
  });
  expect(early.length).toBeGreaterThan(2);
  expect(Math.min(...early)).toBeGreaterThanOrEqual(1000);
});

for (const path of pages) {
  test(`${path} comes rendered and is taken over as it is, by visitors and by customers`, async ({
    page,
    anotherPage,
    consoleErrors,
  }) => {
    // Up to eight visits, each until the network is idle.
    test.slow();
    if (path === '/nowhere') consoleErrors.allow(404, /nowhere/);
    const customer = await anotherPage();
    await signUp(customer, somebody());
    for (const [visit, signedIn] of [
      [page, false],
      [customer, true],
    ] as const) {
      // Signed in there is nothing to see on these two: one is sent Home.
      if (signedIn && (path === '/login' || path === '/signup')) continue;
      for (const size of widths) {
        for (const colorScheme of themes) {
          await visit.setViewportSize(size);
          await visit.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          await beforeScripts(visit, path, async () => {
            const heading = visit.getByRole('heading', { level: 1 });
            await expect(heading).not.toBeEmpty();
            await heading.evaluate((h1) => h1.setAttribute('data-came', h1.textContent ?? ''));
          });
          await livens(visit, signedIn);
          // The same element: nothing was drawn anew. The fixture makes sure that React had nothing to say either.
          const heading = visit.getByRole('heading', { level: 1 });
          await expect(heading).toHaveAttribute('data-came', (await heading.textContent()) ?? '');
          await visit.unrouteAll({ behavior: 'wait' });
        }
      }
    }
  });
}

test('a page of the dashboard comes with its frame, and a visitor is sent to Login', async ({
  page,
}) => {
  await beforeScripts(page, '/dashboard/myOrders', async () => {
    await expect(page.getByText('Checking your sign-in…')).toBeVisible();
    await expect(page.getByRole('contentinfo')).toBeVisible();
  });
  await expect(page).toHaveURL(/\/login$/);
  await expect(page.getByRole('button', { name: 'Login', exact: true })).toBeVisible();
});

test('the login form is there before it listens, and a press too early sends nothing away', async ({
  page,
}) => {
  await beforeScripts(page, '/login', async () => {
    await expect(page.getByLabel('Password', { exact: true })).toBeVisible();
    await page.mouse.move(0, 0);
    await page.keyboard.press('Enter');
    expect(new URL(page.url()).search).toBe('');
  });
  await page.getByLabel('Password', { exact: true }).fill('typed');
  await expect(page.getByLabel('Password', { exact: true })).toHaveValue('typed');
});

test('what was typed into the search before it listened is searched for', async ({ page }) => {
  await beforeScripts(page, '/shop', async () => {
    await page.getByRole('searchbox', { name: 'Search' }).fill('turbo');
  });
  await expect(page).toHaveURL(/\/shop\?q=turbo$/);
  await expect(page.getByRole('searchbox', { name: 'Search' })).toHaveValue('turbo');
});

test('a chosen theme is worn before the scripts have come, with the right switch', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  await page.goto('/');
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.getByRole('button', { name: 'Switch to dark theme' }).click();
  await expect(page.getByRole('button', { name: 'Switch to light theme' })).toBeVisible();
  // The shade is on its way for a moment.
  await page.evaluate(() => Promise.all(document.getAnimations().map(({ finished }) => finished)));
  await expect.poll(background).not.toBe(light);
  const dark = await background();
  await beforeScripts(page, '/about', async () => {
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect.poll(background).toBe(dark);
    await expect(page.locator('header .lucide-sun')).toBeVisible();
    await expect(page.locator('header .lucide-moon')).toBeHidden();
  });
  await expect(page.getByRole('button', { name: 'Switch to light theme' })).toBeVisible();
});

test('Home brings its deals and reviews along and asks for neither', async ({ page }) => {
  const requested: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === '/products' || pathname === '/reviews') requested.push(pathname);
  });
  await expect(async () => {
    requested.length = 0;
    expect(await (await page.goto('/'))?.text()).toContain('id="first-data"');
  }).toPass();
  const deals = page.getByRole('region', { name: 'Top Hot Deals' });
  await expect(deals.getByRole('article')).toHaveCount(4);
  await expect(
    page.getByRole('region', { name: 'Our customers reviews' }).locator('blockquote'),
  ).not.toHaveCount(0);
  await page.waitForLoadState('networkidle');
  expect(requested).toEqual([]);

  // Later visits of the screen ask as ever.
  await page.getByRole('link', { name: 'About', exact: true }).first().click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Reliable parts since 1992');
  await page.getByRole('link', { name: 'Shop', exact: true }).first().click();
  await expect.poll(() => requested).toContain('/products');
});

test('the first pictures of the Shop and of a product are there before the client', async ({
  page,
  guest,
  adminApi,
}) => {
  const { page: customer } = await guest('customer');
  const pictures = page.locator('img[data-first-picture]');
  const shown = () =>
    pictures.evaluateAll((all) => all.filter((one) => (one as HTMLImageElement).naturalWidth > 0));
  for (const [width, count] of [
    [390, 1],
    [1440, 4],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await beforeScripts(
      page,
      '/shop',
      () => expect.poll(async () => (await shown()).length).toBe(count),
      gotoWithData,
    );
    await livens(page, false);
    await expect(pictures).toHaveCount(0);
    await page.unrouteAll({ behavior: 'wait' });
  }
  // What is asked for is not what the page brought along.
  await beforeScripts(page, '/shop?q=there+is+no+such+part', async () => {
    await expect(pictures).toHaveCount(4);
    expect(await shown()).toHaveLength(0);
  });
  const name = 'Disc with a Picture';
  await beforeScripts(
    customer,
    `/product/${await adminApi.addProduct({ name })}`,
    async () => {
      const picture = customer.locator('img[data-first-picture]');
      await expect
        .poll(() => picture.evaluate((one) => (one as HTMLImageElement).naturalWidth))
        .toBeGreaterThan(0);
    },
    gotoWithData,
  );
  await expect(customer.getByRole('heading', { level: 1 })).toHaveText(name);
});

test('nothing of the client is asked for before something is painted', async ({ page }) => {
  await page.goto('/');
  await livens(page, false);
  const late = await page.evaluate(() => {
    const painted =
      performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Infinity;
    // The client waits a second for the first paint, and no longer.
    const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    const since = Math.min(painted, (visit?.domContentLoadedEventStart ?? 0) + 1000);
    const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
    return files
      .filter(({ name }) => /\/assets\/.*\.(js|css)$/.test(name))
      .map(({ name, fetchStart }) => [name, fetchStart >= since] as const);
  });
  expect(late.length).toBeGreaterThan(2);
  expect(late.filter(([, after]) => !after)).toEqual([]);
});

for (const path of pages) {
  test(`${path} allows exactly the one style and the one script that it holds`, async ({
    request,
  }) => {
    const answer = await request.get(path, { headers: { Accept: 'text/html' } });
    const html = await answer.text();
    const policy = answer.headers()['content-security-policy'] ?? '';
    for (const kind of ['style', 'script']) {
      const inline = [...html.matchAll(new RegExp(`<${kind}>(.*?)</${kind}>`, 'gs'))];
      expect(inline, kind).toHaveLength(1);
      const digest = createHash('sha256')
        .update(inline[0]?.[1] ?? '')
        .digest('base64');
      expect(policy).toContain(`${kind}-src 'self' 'sha256-${digest}';`);
    }
    expect(policy).not.toContain('unsafe');
    expect(policy.match(/'sha256-/g)).toHaveLength(2);
  });
}

for (const path of ['/', '/shop']) {
  for (const size of widths) {
    test(`${path} moves nothing while it loads, ${size.width} px wide`, async ({ page }) => {
      await page.setViewportSize(size);
      await page.addInitScript(() => {
        const seen = window as unknown as { shifted: number };
        seen.shifted = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) {
            seen.shifted += (entry as unknown as { value: number }).value;
          }
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto(path);
      await livens(page, false);
      await expect(page.getByRole('main').getByRole('article').first()).toBeAttached();
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      const shifted = await page.evaluate(() => (window as unknown as { shifted: number }).shifted);
      expect(shifted).toBeLessThanOrEqual(0.01);
    });
  }
}
