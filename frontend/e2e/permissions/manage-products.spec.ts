import { expectAnswers, expectLogin, expectNoEntry, menuOf } from '../fixtures/roles';
import { expect, test } from '../fixtures/shop';

const screens = ['/dashboard/manage', '/dashboard/addProduct', '/dashboard/feeds'];
const part = {
  name: 'Contraband',
  description: 'Never to stand on a shelf.',
  category: 'BRAKES',
  price: 1,
  availableQty: 50,
  minOrder: 50,
  img: '/pictures/brake-disc-640.webp',
};
const raise = { updatedQuantity: 1, updatedPrice: 1 };
const rename = { name: 'Contraband' };
const pictures = { images: [part.img] };

test('a visitor manages no products', async ({ guest, adminApi }) => {
  const id = await adminApi.addProduct();
  const { page, client } = await guest('visitor');
  await expectLogin(page, ...screens);
  await expectAnswers(client, [
    ['POST', '/products', 401, part],
    ['PUT', `/products/${id}`, 401, raise],
    ['PATCH', `/products/${id}`, 401, rename],
    ['PUT', `/products/${id}/images`, 401, pictures],
    ['POST', `/products/${id}/restore`, 401],
    ['GET', '/archivedProducts', 401],
    ['DELETE', `/products/${id}`, 401],
    ['POST', '/images', 401],
    ['POST', '/feeds?kind=stock', 401],
    ['GET', '/feeds', 401],
  ]);
});

test('a customer manages no products, and no menu says otherwise', async ({ guest, adminApi }) => {
  const id = await adminApi.addProduct({ availableQty: 130 });
  const { page, client } = await guest('customer');
  const menu = await menuOf(page);
  expect(menu).not.toContain('Manage Products');
  expect(menu).not.toContain('Add Product');
  await expectNoEntry(page, ...screens);
  await expectAnswers(client, [
    ['POST', '/products', 403, part],
    ['PUT', `/products/${id}`, 403, raise],
    ['PATCH', `/products/${id}`, 403, rename],
    ['PUT', `/products/${id}/images`, 403, pictures],
    ['POST', `/products/${id}/restore`, 403],
    ['GET', '/archivedProducts', 403],
    ['DELETE', `/products/${id}`, 403],
    ['POST', '/images', 403],
    ['GET', '/feeds', 403],
    ['POST', '/feeds/1/apply', 403],
  ]);
  expect((await client.done('GET', `/products/${id}`)).availableQty).toBe(130);
});

test('an admin restocks and deletes from Manage Products', async ({ guest, adminApi }) => {
  const name = `Restocked by right ${Date.now()}`;
  const id = await adminApi.addProduct({ name, availableQty: 130, price: 10 });
  const { page, client } = await guest('admin');
  expect(await menuOf(page)).toEqual(expect.arrayContaining(['Manage Products', 'Add Product']));
  await page.goto('/dashboard/addProduct');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Add Product');

  await page.goto('/dashboard/manage');
  await page.getByLabel('Search').fill(name);
  await page.getByRole('button', { name: `Update ${name}` }).click();
  const dialog = page.getByRole('dialog', { name: 'Update' });
  await dialog.getByLabel('Quantity').fill('70');
  await dialog.getByLabel('Price').fill('12');
  await dialog.getByRole('button', { name: 'Update' }).click();
  await expect(page.getByText('Restocked Successfully')).toBeVisible();
  const product = await client.done('GET', `/products/${id}`);
  expect([product.availableQty, product.price]).toEqual([200, 12]);

  await page.getByRole('button', { name: `Delete ${name}` }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('heading', { name: 'No products match your search' })).toBeVisible();
  await expectAnswers(client, [['GET', `/products/${id}`, 404]]);
});

test('an admin edits a product, changes its price in the table, and brings it back from the archive', async ({
  guest,
  adminApi,
  consoleErrors,
}) => {
  consoleErrors.allow(409, /\/products\//);
  const mark = `${Date.now()}`;
  const name = `Edited by right ${mark}`;
  const id = await adminApi.addProduct({ name, price: 10 });
  const { page, client } = await guest('admin');
  await page.goto(`/dashboard/manage?q=${mark}`);
  await page.getByRole('link', { name: `Edit ${name}` }).click();
  await page.getByLabel('Part number').fill('BY-1');
  await page.getByLabel('Product Name').fill(`${name}, again`);
  // Somebody else is faster with one of them.
  await client.done('PATCH', `/products/${id}`, { partNumber: 'BY-2', description: 'Another.' });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Part number is now BY-2')).toBeVisible();
  await expect(page.getByLabel('Description')).toHaveValue('Another.');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByText('Product saved')).toBeVisible();
  await expect(page).toHaveURL(new RegExp(`/dashboard/manage\\?q=${mark}$`));
  const edited = await client.done('GET', `/products/${id}`);
  expect([edited.name, edited.partNumber, edited.description]).toEqual([
    `${name}, again`,
    'BY-1',
    'Another.',
  ]);

  await page.getByRole('button', { name: /^\$10\.00/ }).click();
  await page.getByLabel(/^Price of/).fill('12.5');
  await page.getByLabel(/^Price of/).press('Enter');
  await expect(page.getByText('Price changed')).toBeVisible();
  expect((await client.done('GET', `/products/${id}`)).price).toBe(12.5);

  await page.getByRole('button', { name: /^Delete/ }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('heading', { name: 'No products match your search' })).toBeVisible();
  await expectAnswers(client, [['GET', `/products/${id}`, 404]]);
  await page.getByLabel('Archived').click();
  await expect(page).toHaveURL(/view=archived/);
  await page.getByRole('button', { name: /^Bring back/ }).click();
  await expect(page.getByText(`${name}, again is back in the shop.`)).toBeVisible();
  expect((await client.done('GET', `/products/${id}`)).price).toBe(12.5);
});
