import { expectAccessible } from './fixtures/axe';
import { expect, test } from './fixtures/shop';

test('a vehicle is chosen by the keyboard, is in the address, and is remembered', async ({
  page,
}) => {
  await page.goto('/shop');
  await page.getByRole('button', { name: 'Choose your vehicle' }).press('Enter');
  for (const [step, typed] of [
    ['Year', '2014'],
    ['Make', 'toyota'],
    ['Model', 'camry'],
  ] as const) {
    await expect(page.getByRole('combobox', { name: step, exact: true })).toBeFocused();
    await expect(page.getByRole('option').first()).toBeVisible();
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
  }
  await expect(page.getByRole('combobox', { name: 'Engine' })).toBeFocused();
  await page.getByRole('option', { name: "I don't know the engine" }).click();
  await expect(page).toHaveURL(/\/shop\?vehicle=\d+$/);
  const bar = page.getByRole('region', { name: 'Vehicle' });
  await expect(bar.getByText('2014 Toyota Camry')).toBeVisible();
  await page.reload();
  await expect(bar.getByText('2014 Toyota Camry')).toBeVisible();
  await bar.getByRole('button', { name: 'Clear vehicle' }).click();
  await expect(page).toHaveURL('/shop');
  await bar.getByRole('button', { name: 'Choose your vehicle' }).click();
  await page.getByRole('button', { name: '2014 Toyota Camry', exact: true }).click();
  await expect(page).toHaveURL(/\/shop\?vehicle=\d+$/);
});

test('a VIN is in no address and in no storage', async ({ page }) => {
  const vin = '4T1BF1FK5EU123456';
  await page.goto('/shop');
  await page.getByRole('button', { name: 'Choose your vehicle' }).click();
  const asked = page.waitForRequest((request) => request.url().includes('/vin/'));
  await page.getByRole('textbox', { name: 'VIN' }).fill(vin);
  await page.getByRole('button', { name: 'Look up' }).click();
  expect((await asked).method()).toBe('GET');
  await page
    .getByRole('button', { name: /^Use this vehicle/ })
    .first()
    .click();
  await expect(page).toHaveURL(/\/shop\?vehicle=\d+/);
  const kept = await page.evaluate(() =>
    JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }, history.state]),
  );
  expect(kept).not.toContain(vin);
});

test('has no fault that axe knows of', async ({ page }) => {
  test.setTimeout(240_000);
  await page.goto('/shop');
  await page.getByRole('button', { name: 'Choose your vehicle' }).click();
  await expect(page.getByRole('option').first()).toBeVisible();
  await expectAccessible(page, 'the vehicle bar');
});
