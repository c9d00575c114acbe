import { expectAnswers, expectLogin, expectNoEntry, menuOf } from '../fixtures/roles';
import { expect, test } from '../fixtures/shop';

const screens = ['/dashboard/manage', '/dashboard/addProduct'];
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

test('a visitor manages no products', async ({ guest, adminApi }) => {
  const id = await adminApi.addProduct();
  const { page, client } = await guest('visitor');
  await expectLogin(page, ...screens);
  await expectAnswers(client, [
    ['POST', '/products', 401, part],
    ['PUT', `/products/${id}`, 401, raise],
    ['DELETE', `/products/${id}`, 401],
    ['POST', '/images', 401],
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
    ['DELETE', `/products/${id}`, 403],
    ['POST', '/images', 403],
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
