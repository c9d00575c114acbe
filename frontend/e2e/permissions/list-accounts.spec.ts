import { expectAnswers, expectLogin, expectNoEntry, menuOf } from '../fixtures/roles';
import { expect, test } from '../fixtures/shop';

test('a visitor sees nobody', async ({ guest }) => {
  const { page, client } = await guest('visitor');
  await expectLogin(page, '/dashboard/users');
  await expectAnswers(client, [['GET', '/user', 401]]);
});

test('a customer sees nobody', async ({ guest }) => {
  const { page, client } = await guest('customer');
  expect(await menuOf(page)).not.toContain('All Users');
  await expectNoEntry(page, '/dashboard/users');
  await expectAnswers(client, [['GET', '/user', 403]]);
});

test('an admin sees everybody, by e-mail, and how many they are', async ({ guest }) => {
  const newcomer = (await guest('customer')).client;
  const { page, client } = await guest('admin');
  expect(await menuOf(page)).toContain('All Users');
  await page.getByRole('complementary').getByRole('link', { name: 'All Users' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^All users: [\d,]+$/);
  await page.getByLabel('Search').fill(newcomer.email);
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('cell').filter({ hasText: newcomer.email }).first()).toBeVisible();
  await expectAnswers(client, [['GET', '/user', 200]]);
});
