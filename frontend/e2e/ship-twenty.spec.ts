import type { Page } from '@playwright/test';
import type { ApiClient } from './fixtures/api-client';
import { expect, somebody, test } from './fixtures/shop';

const TWENTY = 20;

/** Somebody with twenty paid orders that wait. */
async function waitingOrders(customer: ApiClient, product: string): Promise<string[]> {
  const orders: string[] = [];
  for (let count = 0; count < TWENTY; count += 1) {
    const id = await customer.order(product);
    await customer.pay(id);
    orders.push(id);
  }
  return orders;
}

/** The keyboard of a page, with what was pressed on it and when that began. */
function counted(page: Page) {
  let presses = 0;
  const began = Date.now();
  return {
    press: async (key: string) => {
      presses += 1;
      await page.keyboard.press(key);
    },
    type: async (text: string) => {
      presses += text.length;
      await page.keyboard.type(text);
    },
    used: () => ({ presses, seconds: (Date.now() - began) / 1000 }),
  };
}

/** An admin's browser with the orders of one customer that are ready to ship, and those orders. */
async function readyToShip(
  { client: customer }: { client: ApiClient },
  { page }: { page: Page },
  product: string,
) {
  const orders = await waitingOrders(customer, product);
  const query = new URLSearchParams({ q: customer.email, state: 'ready' });
  await page.goto(`/dashboard/orders?${query}`);
  await expect(page.getByRole('article')).toHaveCount(TWENTY);
  return orders;
}

test.describe('twenty paid orders are shipped within a minute by the keyboard alone', () => {
  test('one after the other, two keys for each', async ({ guest, adminApi }) => {
    test.setTimeout(150_000);
    const buyer = await guest('customer', somebody('Robin Twenty'));
    const { page } = await guest('admin');
    const orders = await readyToShip(buyer, { page }, await adminApi.addProduct());

    const keyboard = counted(page);
    const cards = page.getByRole('article');
    await keyboard.press('j');
    for (let left = TWENTY; left > 0; left -= 1) {
      await keyboard.press('s');
      await expect(page.getByRole('button', { name: 'Yes' })).toBeFocused();
      await keyboard.press('Enter');
      await expect(cards).toHaveCount(left - 1);
      // The keyboard is on the order that has come in its place, so that the next one needs no key to get there.
      if (left > 1)
        await expect(cards.getByRole('link').and(page.locator(':focus'))).toHaveCount(1);
    }
    const { presses, seconds } = keyboard.used();
    test.info().annotations.push({ type: 'used', description: `${presses} keys, ${seconds} s` });
    console.log(`twenty orders, one after the other: ${presses} keys, ${seconds} s`);
    expect(presses).toBe(1 + 2 * TWENTY);
    expect(seconds).toBeLessThan(60);
    for (const id of orders) {
      expect((await buyer.client.done('GET', `/orders/${id}`)).status).toBe('paid');
    }
  });

  test('all at once, from any screen', async ({ guest, adminApi }) => {
    test.setTimeout(120_000);
    const buyer = await guest('customer', somebody('Robin Twenty'));
    const { page } = await guest('admin');
    const orders = await waitingOrders(buyer.client, await adminApi.addProduct());
    await page.goto('/dashboard/users');
    await expect(page.getByRole('row').nth(1)).toBeVisible();

    const keyboard = counted(page);
    await keyboard.press('Control+k');
    await expect(page.getByRole('combobox')).toBeFocused();
    await keyboard.type(buyer.client.email);
    await expect(page.getByRole('group', { name: 'Orders' })).toBeVisible();
    await keyboard.press('ArrowUp');
    await keyboard.press('ArrowUp');
    await keyboard.press('ArrowUp');
    await expect(page.getByRole('option', { selected: true })).toHaveText(/^Search all orders/);
    await keyboard.press('Enter');
    await expect(page.getByRole('article')).toHaveCount(TWENTY);
    await keyboard.press('a');
    await keyboard.press('s');
    await expect(page.getByRole('button', { name: 'Ship 20 orders' }).last()).toBeFocused();
    await keyboard.press('Enter');
    await expect(page.getByRole('alert')).toContainText('20 orders shipped.', { timeout: 30_000 });
    const { presses, seconds } = keyboard.used();
    console.log(`twenty orders, all at once: ${presses} keys, ${seconds} s`);
    expect(presses).toBeLessThan(60);
    expect(seconds).toBeLessThan(60);
    for (const id of orders) {
      expect((await buyer.client.done('GET', `/orders/${id}`)).status).toBe('paid');
    }
  });
});
