import { expectAnswers, expectNoEntry } from '../fixtures/roles';
import { expect, test } from '../fixtures/shop';

test('neither a visitor nor a customer reads what admins changed', async ({ guest }) => {
  for (const [role, status] of [
    ['visitor', 401],
    ['customer', 403],
  ] as const) {
    const { client } = await guest(role);
    await expectAnswers(client, [
      ['GET', '/audit', status],
      ['GET', '/audit.csv', status],
      ['GET', '/audit/head', status],
    ]);
  }
  const { page } = await guest('customer');
  await expectNoEntry(page, '/dashboard/audit');
});

test('an admin sees what was changed on a part, before and after, and by whom', async ({
  guest,
  adminApi,
}) => {
  const id = await adminApi.addProduct();
  const { page, client } = await guest('admin');
  await client.done('PATCH', `/products/${id}`, { name: 'A disc with another name' });

  await page.goto(`/dashboard/manage/${id}`);
  await page.getByRole('link', { name: 'What admins changed here' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Audit trail');
  const entries = page.getByRole('list', { name: 'Audit trail entries' }).getByRole('listitem');
  await expect(entries).toHaveCount(2);
  await expect(entries.last()).toContainText('Added');
  const changed = entries.first();
  await expect(changed).toContainText('Changed');
  await expect(changed).toContainText(client.email);
  await changed.locator('summary').click();
  const table = changed.getByRole('table');
  await expect(
    table.getByRole('row', { name: /^Name .* A disc with another name$/ }),
  ).toBeVisible();
  await expect(changed.getByRole('link', { name: 'Open product' })).toBeVisible();
  await expect(changed).toContainText('PATCH /products/{id}');

  await page.getByLabel('Search').fill('nobody@example.com');
  await expect(page.getByText('No entries match your search')).toBeVisible();
  await page.getByLabel('Search').fill(id);
  await expect(entries).toHaveCount(2);
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  expect((await file).suggestedFilename()).toMatch(/^audit-\d{4}-\d\d-\d\d\.csv$/);
  const exports: { after: object }[] = await client.done('GET', '/audit?operation=exportAudit');
  expect(exports.map(({ after }) => after)).toContainEqual({ target: id });
});
