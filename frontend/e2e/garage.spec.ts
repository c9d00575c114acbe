import { expectAccessible } from './fixtures/axe';
import { expect, test } from './fixtures/shop';

test('a garage is filled before signing in, moves to the account, and is kept there', async ({
  guest,
}) => {
  const { page } = await guest('customer');
  await page.goto('/dashboard/garage');
  await expect(page.getByText('Your garage is empty')).toBeVisible();
  await page.evaluate(() =>
    localStorage.setItem(
      'garage',
      JSON.stringify([{ vehicle: 390258, label: '2014 Toyota Camry' }]),
    ),
  );
  await page.goto('/shop');
  await page.getByRole('button', { name: 'My garage (1)' }).click();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('garage'))).toBe('[]');
  await page.getByRole('button', { name: '2014 Toyota Camry', exact: true }).click();
  await expect(page).toHaveURL(/vehicle=390258/);

  await page.goto('/dashboard/garage');
  await expect(page.getByRole('heading', { name: '2014 Toyota Camry' })).toBeVisible();
  await page.getByRole('button', { name: 'Add a vehicle' }).click();
  await page.getByRole('textbox', { name: 'VIN' }).fill('1HGCM82633A004352');
  await page.getByRole('button', { name: 'Look up' }).click();
  await page.getByRole('button', { name: /^Use this vehicle 2003 Honda Accord/ }).click();
  await expect(page.getByText(/VIN 1HGCM82633A004352/)).toBeVisible();
  await page.getByRole('button', { name: 'Edit 2003 Honda Accord' }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Our Accord');
  await page.getByRole('button', { name: 'Save changes' }).click();
  await expect(page.getByRole('heading', { name: 'Our Accord' })).toBeVisible();
  await expectAccessible(page, 'the garage');
  await page.getByRole('button', { name: 'Remove Our Accord' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByRole('heading', { name: 'Our Accord' })).toBeHidden();
  const kept = await page.evaluate(() =>
    JSON.stringify([location.href, { ...localStorage }, { ...sessionStorage }, history.state]),
  );
  expect(kept).not.toContain('1HGCM82633A004352');
});
