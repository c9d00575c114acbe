import type { ApiClient } from '../fixtures/api-client';
import { expectAnswers, expectLogin } from '../fixtures/roles';
import { admin, expect, fillBilling, test } from '../fixtures/shop';

const orderOf = (productId: string, email: string) => ({
  productId,
  email,
  name: 'Robin Vale',
  phone: '555 0100',
  address: '1 Workshop Lane, Detroit',
  quantity: 50,
  price: 6450,
  productName: 'Vented Disc of a Journey',
  category: 'BRAKES',
  details: 'Cast, machined and balanced for one journey through the shop.',
  img: '/pictures/brake-disc-640.webp',
  status: 'Pending',
});

async function ordersOf(client: ApiClient): Promise<{ productId: string }[]> {
  return client.done('GET', `/orders?email=${encodeURIComponent(client.email)}`);
}

test('a visitor orders nothing: Purchase leads to Login', async ({ guest, adminApi }) => {
  const name = `Part behind the counter ${Date.now()}`;
  const id = await adminApi.addProduct({ name });
  const { page, client } = await guest('visitor');
  await page.goto(`/shop?q=${encodeURIComponent(name)}`);
  await page.getByRole('link', { name: `Purchase ${name}` }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expectLogin(page, `/product/${id}`);
  await expectAnswers(client, [['POST', '/orders', 401, orderOf(id, 'robin@example.com')]]);
});

for (const role of ['customer', 'admin'] as const) {
  test(`signed in as ${role}: one orders in one's own name, never in another's`, async ({
    guest,
    adminApi,
  }) => {
    const id = await adminApi.addProduct();
    const { page, client } = await guest(role);
    await page.goto(`/product/${id}`);
    const dialog = await fillBilling(page);
    if (role === 'admin') await dialog.getByLabel('Name').fill('The Back Office');
    await dialog.getByRole('button', { name: /^Order 50/ }).click();
    await expect(page.getByRole('alert')).toContainText('Product added to my order');
    const another = role === 'admin' ? 'customer@example.com' : admin.email;
    await expectAnswers(client, [['POST', '/orders', 403, orderOf(id, another)]]);
    // The admin is one for all journeys, and may order elsewhere meanwhile.
    const ofThis = (await ordersOf(client)).filter(({ productId }) => productId === id);
    expect(ofThis).toHaveLength(1);
    expect((await client.done('GET', `/products/${id}`)).availableQty).toBe(4150);
  });
}
