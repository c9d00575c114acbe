import { adminMenu, customerMenu, expectAnswers, expectLogin, menuOf } from '../fixtures/roles';
import { admin, expect, test } from '../fixtures/shop';

test('a visitor learns the role of nobody and has no dashboard menu', async ({ guest }) => {
  const { page, client } = await guest('visitor');
  await expectLogin(page, '/dashboard/blog');
  await expectAnswers(client, [['GET', `/admin/${admin.email}`, 401]]);
});

test('a customer learns their own role alone, and gets the menu of a customer', async ({
  guest,
}) => {
  const { page, client } = await guest('customer');
  expect(await menuOf(page)).toEqual([...customerMenu, 'Blog', 'My Profile']);
  await expect(page.getByRole('complementary').getByText('Sign Out')).toBeVisible();
  expect(await client.done('GET', `/admin/${client.email}`)).toEqual({ admin: false });
  await expectAnswers(client, [['GET', `/admin/${admin.email}`, 403]]);
});

test('an admin learns any role, and gets the menu of an admin', async ({ guest }) => {
  const customer = (await guest('customer')).client;
  const { page, client } = await guest('admin');
  expect(await menuOf(page)).toEqual([...adminMenu, 'Blog', 'My Profile']);
  await expect(
    page.getByRole('complementary').getByRole('link', { name: 'Overview' }),
  ).toBeVisible();
  expect(await client.done('GET', `/admin/${admin.email}`)).toEqual({ admin: true });
  expect(await client.done('GET', `/admin/${customer.email}`)).toEqual({ admin: false });
});
