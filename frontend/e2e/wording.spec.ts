import { withoutFirstData } from './fixtures/axe';
import { expect, test } from './fixtures/shop';

test('Home says what it has to say, and each of its buttons leads into the shop', async ({
  page,
}) => {
  await page.goto('/');
  const slides = page.getByRole('region', { name: 'Featured' });
  const headline = slides.getByRole('heading', { name: 'Aftermarket Turbocharger Specialist' });
  await expect(headline).toHaveCount(3);
  const more = slides.getByRole('link', { name: 'Discover more' });
  await expect(more).toHaveCount(3);
  for (const link of await more.all()) await expect(link).toHaveAttribute('href', '/shop');

  const benefits = page.getByRole('region', { name: 'Benefits' });
  for (const claim of [
    'Free delivery',
    'For orders over $140',
    '24/7 customer support',
    'Money back guarantee',
    'Within 30 days',
  ]) {
    await expect(benefits.getByText(claim)).toBeVisible();
  }

  const deals = page.getByRole('region', { name: 'Top Hot Deals' });
  await expect(deals.getByRole('article')).toHaveCount(4);
  await expect(deals.getByRole('link', { name: /^SEE MORE/ })).toHaveAttribute('href', '/shop');

  const offers = page.getByRole('region', { name: 'Offers' });
  const shopNow = offers.getByRole('link', { name: /^SHOP NOW/ });
  await expect(shopNow).toHaveCount(2);
  for (const link of await shopNow.all()) await expect(link).toHaveAttribute('href', /^\/shop/);

  const categories = page.getByRole('region', { name: 'Top Categories' });
  await expect(categories.getByRole('listitem')).toHaveText([
    'Tires',
    'Service Kits',
    'Steering Wheel',
    'Brake Parts',
    'Batteries',
    'Oils and Fluids',
  ]);
  const toAll = categories.getByRole('link', { name: /^SEE MORE/ });
  await expect(toAll).toHaveAttribute('href', '/shop');

  const reviews = page.getByRole('region', { name: 'Our customers reviews' });
  await expect(reviews.getByRole('listitem').first()).toBeVisible();
  expect(await reviews.getByRole('listitem').count()).toBeLessThanOrEqual(3);

  const statistics = page.getByRole('region', { name: 'Statistics' });
  for (const figure of [
    'Total Purchases',
    '25.6K',
    'Page Views',
    '2.6M',
    'Shipping done',
    '86%',
    '31 shipping remaining',
  ]) {
    await expect(statistics.getByText(figure, { exact: true })).toBeVisible();
  }

  const footer = page.getByRole('contentinfo');
  await expect(footer.getByText('reliable parts since 1992')).toBeVisible();
  await expect(footer.getByRole('heading', { name: 'Newsletter' })).toBeVisible();

  await categories.getByRole('link', { name: 'Brake Parts' }).click();
  await expect(page).toHaveURL(/\/shop\?category=BRAKES$/);
});

test('a spinner covers Home while products or reviews load', async ({ page }) => {
  await withoutFirstData(page, '/');
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route(/\/reviews\?/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/');
  const veil = page
    .getByRole('main')
    .getByRole('status')
    .filter({ hasText: /^Loading…$/ });
  await expect(veil).toBeVisible();
  const box = await veil.boundingBox();
  expect(box?.width).toBe(1440);
  expect(box?.height).toBeGreaterThan(800);
  release();
  await expect(veil).toHaveCount(0);
});

test('Login and Sign Up have the fields, buttons and links of the spec', async ({ page }) => {
  await page.goto('/login');
  const main = page.getByRole('main');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Login');
  await expect(main.getByLabel('Email', { exact: true })).toBeVisible();
  await expect(main.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'password');
  await expect(main.getByRole('button', { name: 'Login', exact: true })).toBeVisible();
  await expect(main.getByRole('button', { name: 'Continue with Google' })).toBeVisible();
  await main.getByRole('link', { name: 'Create New Account' }).click();

  await expect(page).toHaveURL(/\/signup$/);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign Up');
  for (const label of ['Name', 'Email', 'Password']) {
    await expect(main.getByLabel(label, { exact: true })).toBeVisible();
  }
  await expect(main.getByRole('button', { name: 'SIGNUP' })).toBeVisible();
  await expect(main.getByRole('button', { name: 'Continue with Google' })).toBeVisible();
  await main.getByRole('link', { name: 'Please Login' }).click();
  await expect(page).toHaveURL(/\/login$/);
});

test('inside the dashboard the bar says so, and its drawer holds the menu on small screens', async ({
  guest,
}) => {
  const { page } = await guest('customer');
  await page.goto('/shop');
  const bar = page.getByRole('banner');
  await expect(bar.getByRole('button', { name: 'Sign Out' })).toBeVisible();
  await bar.getByRole('link', { name: 'Driveline' }).click();
  await expect(page).toHaveURL(/\/$/);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/dashboard/blog');
  await expect(bar.getByText('Dashboard', { exact: true }).filter({ visible: true })).toHaveCount(
    1,
  );
  await bar.getByRole('button', { name: 'Open dashboard menu' }).click();
  const drawer = page.getByRole('dialog', { name: 'Dashboard menu' });
  await drawer.getByRole('link', { name: 'My Order' }).click();
  await expect(page).toHaveURL(/\/dashboard\/myOrders$/);
  await expect(drawer).toBeHidden();
});

test('a toast stands top right and closes itself after five seconds', async ({ guest }) => {
  const { page } = await guest('customer');
  await page.goto('/dashboard/profile');
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await page.getByLabel('Display name').fill('Robin Toast');
  // Measured in the page: here a toast is noticed late.
  const stood = page.evaluate(async () => {
    const stands = () => document.body.textContent?.includes('Updated Successfully') === true;
    const until = async (condition: () => boolean) => {
      while (!condition()) await new Promise((done) => setTimeout(done, 20));
      return performance.now();
    };
    const shown = await until(stands);
    return (await until(() => !stands())) - shown;
  });
  await page.getByRole('button', { name: 'Save' }).click();
  const toast = page.getByText('Updated Successfully');
  await expect(toast).toBeVisible();
  const box = await toast.boundingBox();
  expect(box?.x).toBeGreaterThan(720);
  expect(box?.y).toBeLessThan(200);
  // A pointer on it would keep it.
  await page.mouse.move(10, 600);
  await expect(toast).toBeHidden();
  expect(await stood).toBeGreaterThan(4000);
  expect(await stood).toBeLessThan(9000);
});
