import { expect, test } from './fixtures/shop';

test('Home begins with what a customer comes back for, and nothing moves for it', async ({
  guest,
  adminApi,
}) => {
  const name = `Looked at ${Date.now()}`;
  const looked = await adminApi.addProduct({ name });
  const ordered = await adminApi.addProduct({ name: 'Ordered before' });
  const { page, client } = await guest('customer');
  const order = await client.order(ordered, { quantity: 75 });
  await page.goto(`/product/${looked}`);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(name);

  await page.addInitScript(() => {
    const heard = window as unknown as { moved: number };
    heard.moved = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[]) {
        heard.moved += entry.value;
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto('/');
    const toPay = page.getByRole('region', { name: 'To pay' });
    await expect(toPay.getByText('1 unpaid order')).toBeVisible();
    await expect(toPay.getByRole('link', { name: 'Pay now' })).toHaveAttribute(
      'href',
      `/dashboard/payment/${order}`,
    );
    const viewed = page.getByRole('region', { name: 'Recently viewed' });
    await expect(viewed.getByRole('link', { name })).toBeAttached();
    await expect(
      page.getByRole('region', { name: 'Top Hot Deals' }).getByRole('article'),
    ).toHaveCount(4);
    const moved = await page.evaluate(() => (window as unknown as { moved: number }).moved);
    expect(moved, `at ${width} px`).toBeLessThanOrEqual(0.01);
  }

  await page.setViewportSize({ width: 1440, height: 844 });
  await page.getByRole('link', { name: 'Order again Ordered before' }).click();
  await expect(
    page.getByRole('dialog', { name: 'Billing Details' }).getByLabel('Quantity'),
  ).toHaveValue('75');
  await page.keyboard.press('Escape');

  // Whoever signs out leaves nothing behind for the next one.
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await expect(page.getByRole('link', { name: 'Login' }).first()).toBeVisible();
  await expect(page.getByRole('region', { name: 'To pay' })).toHaveCount(0);
  expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain('recent:viewed');
});
