import { expectAccessible } from './fixtures/axe';
import { expect, test } from './fixtures/shop';

const camry = { id: 390_258, name: '2014 Toyota Camry' };

test('an admin says what a part fits, a buyer is told, and the order keeps it', async ({
  guest,
  adminApi,
}) => {
  const part = await adminApi.addProduct({ name: 'Journey disc' });
  const { page: office } = await guest('admin');
  await office.goto(`/dashboard/manage/${part}`);
  const form = office.getByRole('region', { name: 'Vehicles', exact: true });
  await form.getByLabel('First year').selectOption('2014');
  await form.getByLabel('Last year').selectOption('2015');
  await form.getByLabel('Make').selectOption('Toyota');
  await form.getByLabel('Model').selectOption('Camry');
  await form.getByLabel('Condition').fill('with tow bar');
  await form.getByRole('button', { name: 'Add to the list' }).click();
  await expect(form.getByRole('listitem')).toContainText('Toyota Camry 2014–2015 · with tow bar');
  await form.getByRole('button', { name: 'Save vehicles' }).click();
  await expect(office.getByText('Vehicles saved')).toBeVisible();
  await office.goto('/dashboard/catalog?list=coverage');
  await expect(office.getByRole('region', { name: 'Coverage', exact: true })).toBeVisible();

  const { page } = await guest('customer');
  await page.goto(`/product/${part}?vehicle=${camry.id}`);
  const banner = page.getByRole('region', { name: 'Does it fit?' });
  await expect(banner.getByText('Fits if: with tow bar')).toBeVisible();
  await banner.getByRole('checkbox', { name: 'with tow bar' }).check();
  await expect(page.getByRole('rowheader', { name: 'Toyota Camry' })).toBeVisible();
  await expectAccessible(page, 'a part that fits under a condition');
  await page.getByRole('button', { name: 'Purchase' }).click();
  const dialog = page.getByRole('dialog', { name: 'Billing Details' });
  await dialog.getByLabel('Phone').fill('555 0100');
  await dialog.getByLabel('Address').fill('1 Workshop Lane, Springfield');
  await dialog.getByRole('button', { name: /^Order/ }).click();
  await expect(dialog).toBeHidden();
  await page.goto('/dashboard/myOrders');
  await page
    .getByRole('link', { name: /Journey disc/ })
    .first()
    .click();
  await expect(page.getByText(camry.name)).toBeVisible();
  await expect(page.getByText(/Confirmed: with tow bar/)).toBeVisible();
});

test('a part that does not fit is ordered only after a question', async ({ guest, adminApi }) => {
  const part = await adminApi.addProduct({ name: 'Journey pad' });
  await adminApi.done('PUT', `/products/${part}/fitments`, {
    fitments: [{ make: 'Toyota', model: 'Camry', yearFrom: 2007, yearTo: 2011 }],
  });
  const { page } = await guest('customer');
  await page.goto(`/product/${part}?vehicle=${camry.id}`);
  await expect(page.getByText(`Does not fit your ${camry.name}`)).toBeVisible();
  await expect(page.getByText(/It fits: Toyota Camry 2007–2011/)).toBeVisible();
  await page.getByRole('button', { name: 'Purchase' }).click();
  await page.getByRole('button', { name: 'Order anyway' }).click();
  await expect(page.getByRole('dialog', { name: 'Billing Details' })).toBeVisible();
});
