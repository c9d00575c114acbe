import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { columnNames } from '../src/features/catalog/attributes';
import { expect, somebody, test } from './fixtures/shop';

const COLUMNS = columnNames.join(',');

/** A row of a file, of a product that the shop takes but for what is given. */
function rowOf(given: Record<string, string>): string {
  const values: Record<string, string> = {
    description: 'Cut for one journey.',
    category: 'BRAKES',
    price: '12.5',
    availableQty: '500',
    minOrder: '50',
    img: '/pictures/brake-disc-640.webp',
    ...given,
  };
  return columnNames.map((column) => values[column] ?? '').join(',');
}

/** Presses the button and reads the file that the browser saves. */
async function download(page: Page, button: string) {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ]);
  return { name: file.suggestedFilename(), text: await readFile(await file.path(), 'utf8') };
}

async function chooseFile(page: Page, text: string | Buffer) {
  await page.getByRole('button', { name: 'Import CSV' }).click();
  const dialog = page.getByRole('dialog', { name: 'Import CSV' });
  await dialog.getByLabel('CSV file').setInputFiles({
    name: 'products.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  });
  return dialog;
}

const linesOf = (text: string) => text.trimEnd().split('\r\n');

test('an export holds what the list is narrowed to, and no formula', async ({
  guest,
  adminApi,
}) => {
  const mark = `Export ${Date.now()}`;
  await adminApi.addProduct({ name: `=${mark} "quoted", with comma`, category: 'TIRES' });
  await adminApi.addProduct({ name: `${mark} of another category` });
  const { page } = await guest('admin');
  await page.goto(`/dashboard/manage?q=${encodeURIComponent(mark)}&category=TIRES`);
  await expect(page.getByText('1 matching product', { exact: true })).toBeVisible();
  const { name, text } = await download(page, 'Export CSV');
  expect(name).toMatch(/^products-\d{4}-\d\d-\d\d\.csv$/);
  const [header, row, ...more] = linesOf(text);
  expect(header).toBe(`id,${COLUMNS},createdAt`);
  expect(row).toContain(`"'=${mark} ""quoted"", with comma"`);
  expect(more).toEqual([]);
});

test('both lists of orders export the orders that they show', async ({ guest, adminApi }) => {
  const mark = `Exporter ${Date.now()}`;
  const product = await adminApi.addProduct();
  const customer = await guest('customer', somebody(mark));
  const paid = await customer.client.order(product, { quantity: 51 });
  const transaction = await customer.client.pay(paid);
  await customer.client.order(product, { quantity: 52 });

  const { page } = await guest('admin');
  for (const path of ['/dashboard/orders', '/dashboard/allOrderList']) {
    await page.goto(`${path}?q=${encodeURIComponent(mark)}&sort=price`);
    await expect(page.getByText('2 matching orders')).toBeVisible();
    const { name, text } = await download(page, 'Export CSV');
    expect(name).toMatch(/\.csv$/);
    const [header, first, second, ...more] = linesOf(text);
    expect(header).toMatch(/^id,createdAt,name,email,/);
    expect(first).toContain(`${paid},`);
    expect(first).toContain(transaction);
    expect(second).toContain(mark);
    expect(more).toEqual([]);

    // The cards have views where the table has a field.
    if (path.endsWith('orders'))
      await page.getByRole('link', { name: /^Awaiting payment/ }).click();
    else await page.getByLabel('Show').selectOption('Not Paid yet');
    await expect(page.getByText('1 matching order', { exact: true })).toBeVisible();
    expect(linesOf((await download(page, 'Export CSV')).text)).toHaveLength(2);
  }
});

test('a file is checked first, each bad row reported, and only the good ones brought in', async ({
  guest,
}) => {
  const mark = `Import ${Date.now()}`;
  const { page, client } = await guest('admin');
  await page.goto(`/dashboard/manage?q=${encodeURIComponent(mark)}`);
  await expect(page.getByRole('heading', { name: 'No products match your search' })).toBeVisible();
  const dialog = await chooseFile(
    page,
    [
      COLUMNS,
      rowOf({ name: `${mark} good` }),
      rowOf({ name: `${mark} shoes`, category: 'SHOES' }),
      rowOf({ name: `"${mark} ""good"", too"` }),
      rowOf({ name: `${mark} free`, price: '0' }),
      '',
    ].join('\r\n'),
  );
  await expect(dialog.getByText('2 of 4 rows can be imported.', { exact: false })).toBeVisible();
  const bad = dialog.getByRole('table', { name: 'Rows with errors' });
  await expect(bad.getByRole('row')).toHaveCount(3);
  await expect(bad.getByRole('row').nth(1)).toContainText(/^3\s*category/);
  await expect(bad.getByRole('row').nth(2)).toContainText(/^5\s*price/);
  expect(await client.done('GET', `/products?q=${encodeURIComponent(mark)}`)).toHaveLength(0);

  await dialog.getByRole('button', { name: 'Import 2 valid rows' }).click();
  await expect(
    dialog.getByText('2 products added, 2 rows skipped.', { exact: false }),
  ).toBeVisible();
  await expect(bad.getByRole('row')).toHaveCount(3);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('2 matching products')).toBeVisible();
  await expect(page.getByRole('button', { name: `Update ${mark} "good", too` })).toBeVisible();
  for (const { _id } of await client.done('GET', `/products?q=${encodeURIComponent(mark)}`)) {
    await client.removeProduct(_id);
  }
});

test('a file without a bad row comes in whole, by the template', async ({ guest }) => {
  const mark = `Whole ${Date.now()}`;
  const { page, client } = await guest('admin');
  await page.goto(`/dashboard/manage?q=${encodeURIComponent(mark)}`);
  await page.getByRole('button', { name: 'Import CSV' }).click();
  const template = await download(page, 'Download a template');
  expect(template.name).toBe('products-template.csv');
  await page.keyboard.press('Escape');

  const rows = ['one', 'two', 'three'].map((name) => `${rowOf({ name: `${mark} ${name}` })}\r\n`);
  const dialog = await chooseFile(page, template.text + rows.join(''));
  await dialog.getByRole('button', { name: 'Import 3 products' }).click();
  await expect(page.getByRole('alert')).toContainText('3 products added.');
  await expect(page.getByText('3 matching products')).toBeVisible();

  // The same file again: every row is there already.
  await expect(
    (await chooseFile(page, template.text + rows.join(''))).getByText(
      /^None of the .* rows can be imported/,
    ),
  ).toBeVisible();
  for (const { _id } of await client.done('GET', `/products?q=${encodeURIComponent(mark)}`)) {
    await client.removeProduct(_id);
  }
});

test('what is no CSV of products is reported inside the dialog', async ({
  guest,
  consoleErrors,
}) => {
  consoleErrors.allow(422, /\/products\.csv/);
  consoleErrors.allow(400, /\/products\.csv/);
  const { page } = await guest('admin');
  await page.goto('/dashboard/manage');
  const dialog = await chooseFile(page, 'color,size\r\nred,12\r\n');
  await expect(dialog.getByRole('alert')).toContainText('name');
  await dialog.getByLabel('CSV file').setInputFiles({
    name: 'latin.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`${COLUMNS}\r\n${rowOf({ name: 'Kühler' })}`, 'latin1'),
  });
  await expect(dialog.getByRole('alert')).toContainText('UTF-8');
  await expect(dialog.getByRole('button', { name: /^Import \d/ })).toHaveCount(0);
});
