import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { ApiClient } from './fixtures/api-client';
import { expectAccessible } from './fixtures/axe';
import { expect, test } from './fixtures/shop';

/** A word and a number that nothing else in the shop has. */
const mark = () => `X${randomUUID().replace(/-/g, '').slice(0, 9).toUpperCase()}`;

interface Found {
  word: string;
  number: string;
  brand: string;
  disc: string;
  drum: string;
}

/** Two parts of a brand of their own, one of which another maker's number leads to. */
async function twoParts(adminApi: ApiClient): Promise<Found> {
  const [word, number, brand] = [mark(), mark(), `Brand ${mark()}`];
  const facts = { brand, weight: 7400 };
  const disc = await adminApi.addProduct({
    name: `Disc ${word}`,
    price: 40,
    ...facts,
    attributes: [{ name: 'Diameter', value: 320 }],
  });
  const drum = await adminApi.addProduct({ name: `Drum ${word}`, price: 90, ...facts });
  await adminApi.done('PUT', `/products/${disc}/numbers`, {
    numbers: [{ kind: 'competitor', number, brand: 'Brembo', note: 'coated' }],
  });
  return { word, number, brand, disc, drum };
}

const field = (page: Page) => page.getByRole('combobox', { name: 'Find a part' });

test('another maker’s number leads to the part from any screen, by the keyboard alone', async ({
  guest,
  adminApi,
}) => {
  const { number, disc, word } = await twoParts(adminApi);
  const { page } = await guest('customer');
  await page.goto('/about');
  await page.keyboard.press('/');
  await expect(field(page)).toBeFocused();
  // As it is printed on the box, and not as it was entered.
  await page.keyboard.type(`${number.slice(0, 4)}-${number.slice(4).toLowerCase()}`);
  const numbers = page.getByRole('group', { name: 'Part numbers' });
  await expect(numbers.getByRole('option')).toContainText([`Disc ${word}`]);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/product/${disc}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Disc ${word}`);
  const section = page.getByRole('region', { name: 'Part numbers' });
  await expect(section.getByText('Brembo, coated')).toBeVisible();
  await expect(section.getByRole('button', { name: `Copy ${number}` })).toBeVisible();
  await expect(page.getByRole('main').getByText('7.4 kg')).toBeVisible();
});

test('words lead to the shop, also before the suggestions have come', async ({
  page,
  adminApi,
}) => {
  const { word } = await twoParts(adminApi);
  await page.goto('/');
  await page.getByRole('textbox', { name: 'Find a part' }).focus();
  await page.keyboard.type(word);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(`/shop?q=${word}`);
  await expect(page.getByRole('article')).toHaveCount(2);
});

test('who comes to type before the scripts have come gets suggestions when they have', async ({
  page,
  adminApi,
}) => {
  const { word } = await twoParts(adminApi);
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/', { waitUntil: 'commit' });
  await page.getByRole('textbox', { name: 'Find a part' }).focus();
  await page.keyboard.type(word);
  release();
  await expect(page.getByRole('option', { name: new RegExp(`Disc ${word}`) })).toBeVisible();
});

test('filters narrow the shop, are in its address, and each can be taken away', async ({
  page,
  adminApi,
}) => {
  const { word, brand } = await twoParts(adminApi);
  await page.goto(`/shop?q=${word}`);
  const filters = page.getByRole('complementary', { name: 'Filters' });
  await filters.getByRole('spinbutton', { name: 'Price ($), from' }).fill('50');
  await filters.getByRole('button', { name: 'Apply Price' }).click();
  await expect(page.getByRole('article')).toHaveCount(1);
  await expect(page).toHaveURL(`/shop?q=${word}&minPrice=50`);
  await page.reload();
  await expect(page.getByRole('article')).toHaveText(new RegExp(`Drum ${word}`));
  await page.getByRole('button', { name: 'Remove filter From $50.00' }).click();
  await expect(page.getByRole('article')).toHaveCount(2);

  await page.goto(`/shop?q=${word}&maxPrice=1`);
  await expect(page.getByRole('heading', { name: `No parts match "${word}"` })).toBeVisible();
  await page.getByRole('button', { name: 'Without Up to $1.00 2 parts' }).click();
  await expect(page.getByRole('article')).toHaveCount(2);
  await expect(page).toHaveURL(`/shop?q=${word}`);

  // Of a brand with two parts, beside all the others.
  await page.goto('/shop');
  const brands = filters.getByRole('group', { name: 'Brand' });
  await expect(brands).toBeVisible();
  const all = brands.getByRole('button', { name: /^Show all/ });
  if (await all.isVisible()) await all.click();
  // The address follows a moment later, and the box follows the address.
  await filters.getByRole('checkbox', { name: `${brand}, 2 parts` }).click();
  await expect(page.getByRole('article')).toHaveCount(2);
  await expect(page.getByRole('button', { name: `Remove filter Brand: ${brand}` })).toBeVisible();
});

test('a wrong sign in a number is no dead end', async ({ page, adminApi }) => {
  const { number, word } = await twoParts(adminApi);
  const last = number.at(-1) === '7' ? '9' : '7';
  await page.goto(`/shop?q=${number.slice(0, -1)}${last}`);
  const maybe = page.getByRole('region', { name: 'Did you mean one of these?' });
  await expect(maybe.getByRole('article')).toContainText([`Disc ${word}`]);
});

test('a part that was replaced leads on to its successor', async ({
  guest,
  adminApi,
  consoleErrors,
}) => {
  consoleErrors.allow(410, /\/products?\//);
  // Its vehicles, numbers and reviews, asked for beside it.
  consoleErrors.allow(404, /\/products\//);
  const { word, brand, disc, drum } = await twoParts(adminApi);
  const old = mark();
  await adminApi.done('PATCH', `/products/${disc}`, { partNumber: old });
  await adminApi.done('PUT', `/products/${drum}/numbers`, {
    numbers: [{ kind: 'superseded', number: old, brand }],
  });
  await adminApi.removeProduct(disc);
  const { page } = await guest('customer');
  await page.goto(`/product/${disc}`);
  await expect(page.getByRole('heading', { name: 'This part has been replaced' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to the new part' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`Drum ${word}`);
});

test('an admin keeps brands, and those that parts have stay', async ({
  guest,
  adminApi,
  consoleErrors,
}) => {
  consoleErrors.allow(409, /\/brands\//);
  const { brand } = await twoParts(adminApi);
  const { page } = await guest('admin');
  await page.goto('/dashboard/catalog');
  const filter = page.getByRole('searchbox', { name: 'Filter the list' });
  await filter.fill(brand);
  await page.getByRole('button', { name: `Delete ${brand}` }).click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: 'Yes' }).click();
  await expect(question.getByRole('alert')).toBeVisible();
  await question.getByRole('button', { name: 'No' }).click();

  const added = `Brand ${mark()}`;
  await page.getByRole('textbox', { name: 'Brand' }).fill(added);
  await page.getByRole('button', { name: 'Add a brand' }).click();
  await filter.fill(added);
  await page.getByRole('button', { name: `Change ${added}` }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Brand' }).fill(`${added} Inc.`);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: `Delete ${added} Inc.` }).click();
  await question.getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByText('Nothing in this list matches.')).toBeVisible();
});

test('an admin says what a part is and which numbers lead to it', async ({ guest, adminApi }) => {
  const { disc, word } = await twoParts(adminApi);
  const number = mark();
  const { page } = await guest('admin');
  await page.goto(`/dashboard/manage/${disc}`);
  const numbers = page.getByRole('region', { name: 'Interchange' });
  await numbers.getByRole('button', { name: 'Add number' }).click();
  await numbers
    .getByRole('textbox', { name: /^Number/ })
    .last()
    .fill(number);
  await numbers.getByRole('button', { name: 'Save numbers' }).click();
  await expect(page.getByText('Numbers saved')).toBeVisible();
  await page.getByRole('spinbutton', { name: 'Units per pack' }).fill('10');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page).toHaveURL('/dashboard/manage');
  await page.goto(`/product/${disc}`);
  await expect(page.getByText('Sold in packs of')).toBeVisible();
  await page.goto(`/shop?q=${number}`);
  await expect(page.getByRole('article')).toContainText([`Disc ${word}`]);
});

test('no fault that axe knows of: suggestions, filters, dead ends, the catalog', async ({
  page,
  guest,
  adminApi,
}) => {
  test.setTimeout(300_000);
  const { word } = await twoParts(adminApi);
  await page.goto('/about');
  await page.getByRole('textbox', { name: 'Find a part' }).focus();
  await page.keyboard.type(word);
  await expect(page.getByRole('option')).toHaveCount(3);
  await expectAccessible(page, 'suggestions');
  await page.goto(`/shop?q=${word}&minPrice=10`);
  await expect(page.getByRole('article')).toHaveCount(2);
  await expectAccessible(page, 'the shop with filters');
  await page.goto(`/shop?q=${word}&maxPrice=1`);
  await expect(page.getByRole('list', { name: 'Drop a filter' })).toBeVisible();
  await expectAccessible(page, 'nothing found');
  const admin = await guest('admin');
  for (const list of ['brands', 'partTypes', 'synonyms']) {
    await admin.page.goto(`/dashboard/catalog?list=${list}`);
    await expect(admin.page.getByRole('status', { name: /^Loading/ })).toHaveCount(0);
    await expectAccessible(admin.page, `the catalog's ${list}`);
  }
});
