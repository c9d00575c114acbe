import type { Caller } from '../fixtures/caller';
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

async function ordersOf(caller: Caller): Promise<unknown[]> {
  return caller.done('GET', `/orders?email=${encodeURIComponent(caller.email)}`);
}

test('a visitor orders nothing: Purchase leads to Login', async ({ guest, office }) => {
  const name = `Part behind the counter ${Date.now()}`;
  const id = await office.addProduct({ name });
  const { page, caller } = await guest('visitor');
  await page.goto(`/shop?q=${encodeURIComponent(name)}`);
  await page.getByRole('link', { name: `Purchase ${name}` }).click();
  await expect(page).toHaveURL(/\/login$/);
  await expectLogin(page, `/product/${id}`);
  await expectAnswers(caller, [['POST', '/orders', 401, orderOf(id, 'robin@example.com')]]);
});

for (const role of ['customer', 'admin'] as const) {
  test(`signed in as ${role}: one orders in one's own name, never in another's`, async ({
    guest,
    office,
  }) => {
    const id = await office.addProduct();
    const { page, caller } = await guest(role);
    const before = (await ordersOf(caller)).length;
    await page.goto(`/product/${id}`);
    const dialog = await fillBilling(page);
    if (role === 'admin') await dialog.getByLabel('Name').fill('The Back Office');
    await dialog.getByRole('button', { name: /^Order 50/ }).click();
    await expect(page.getByRole('alert')).toContainText('Product added to my order');
    const another = role === 'admin' ? 'customer@example.com' : admin.email;
    await expectAnswers(caller, [['POST', '/orders', 403, orderOf(id, another)]]);
    expect(await ordersOf(caller)).toHaveLength(before + 1);
    expect((await caller.done('GET', `/products/${id}`)).availableQty).toBe(4150);
  });
}
