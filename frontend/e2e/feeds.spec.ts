import { expect, test } from './fixtures/shop';

test('an admin checks a stock file, leaves out what is wrong and applies the rest', async ({
  guest,
  adminApi,
}) => {
  const brand = `Journey ${Date.now()}`;
  const id = await adminApi.addProduct({
    name: `${brand} disc`,
    brand,
    partNumber: 'J-1',
    availableQty: 500,
  });
  const { page, client } = await guest('admin');
  await page.goto('/dashboard/overview');
  await page.getByRole('link', { name: 'Feeds', exact: true }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Feeds');
  await page.getByLabel('CSV file').setInputFiles({
    name: 'journey.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`brand,part_number,availableQty\n${brand},j1,450\n${brand},J-2,10\n`),
  });
  await page.getByRole('button', { name: 'Check file' }).click();
  await expect(page.getByRole('heading', { name: 'journey.csv' })).toBeVisible();
  await expect(page.getByText('Not in the catalog: 1')).toBeVisible();
  await expect(page.getByRole('row', { name: `${brand} J-1 availableQty 500 450` })).toBeVisible();
  expect((await client.done('GET', `/products/${id}`)).availableQty).toBe(500);
  await page.getByRole('button', { name: /^Apply without 1 row/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByText('It is in the store, without 1 row that we refused.')).toBeVisible();
  expect((await client.done('GET', `/products/${id}`)).availableQty).toBe(450);
  const history = page.getByRole('table', { name: 'Feeds, latest first' });
  await expect(history.getByRole('row', { name: /journey\.csv/ }).first()).toContainText('Applied');
});
