import type { Page } from '@playwright/test';
import type { ApiClient } from './fixtures/api-client';
import { type Account, expect, type Guest, type Role, somebody, test } from './fixtures/shop';

const TWENTY = 20;

type Guests = (role: Role, account?: Account) => Promise<Guest>;

/** Twenty paid orders of a part that wait, of four customers, since nobody pays for twenty in a moment. */
async function waitingOrders(guest: Guests, product: string): Promise<string[]> {
  const orders: string[] = [];
  for (let buyer = 0; buyer < 4; buyer += 1) {
    const { client } = await guest('customer', somebody('Robin Twenty'));
    for (let count = 0; count < TWENTY / 4; count += 1) {
      const id = await client.order(product);
      await client.pay(id);
      orders.push(id);
    }
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

async function expectShipped(admin: ApiClient, orders: readonly string[]): Promise<void> {
  for (const id of orders) {
    expect((await admin.done('GET', `/orders/${id}`)).status).toBe('paid');
  }
}

test.describe('twenty paid orders are shipped within a minute by the keyboard alone', () => {
  test('one after the other, two keys for each', async ({ guest, adminApi }) => {
    test.setTimeout(150_000);
    const name = `One of Twenty ${Date.now()}`;
    const orders = await waitingOrders(guest, await adminApi.addProduct({ name }));
    const { page } = await guest('admin');
    await page.goto(`/dashboard/orders?${new URLSearchParams({ q: name, state: 'ready' })}`);
    const cards = page.getByRole('article');
    await expect(cards).toHaveCount(TWENTY);

    const keyboard = counted(page);
    await keyboard.press('j');
    for (let left = TWENTY; left > 0; left -= 1) {
      await keyboard.press('s');
      await expect(page.getByRole('button', { name: 'Yes' })).toBeFocused();
      await keyboard.press('Enter');
      await expect(cards).toHaveCount(left - 1);
      // The keyboard is on the order that has come in its place, so that the next one needs no key to get there.
      if (left > 1) await expect(cards.locator(':focus')).toHaveCount(1);
    }
    const { presses, seconds } = keyboard.used();
    console.log(`twenty orders, one after the other: ${presses} keys, ${seconds} s`);
    expect(presses).toBe(1 + 2 * TWENTY);
    expect(seconds).toBeLessThan(60);
    await expectShipped(adminApi, orders);
  });

  test('all at once, from any screen', async ({ guest, adminApi }) => {
    test.setTimeout(120_000);
    const name = `All Twenty ${Date.now()}`;
    const orders = await waitingOrders(guest, await adminApi.addProduct({ name }));
    const { page } = await guest('admin');
    await page.goto('/dashboard/users');
    await expect(page.getByRole('row').nth(1)).toBeVisible();

    const keyboard = counted(page);
    await keyboard.press('Control+k');
    await expect(page.getByRole('combobox', { name: 'Search' })).toBeFocused();
    await keyboard.type(name);
    await expect(page.getByRole('group', { name: 'Orders' })).toBeVisible();
    for (let step = 0; step < 3; step += 1) await keyboard.press('ArrowUp');
    const results = page.getByRole('listbox', { name: 'Results' });
    await expect(results.getByRole('option', { selected: true })).toHaveText(/^Search all orders/);
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
    await expectShipped(adminApi, orders);
  });
});
