import { expectAnswers, expectLogin, expectNoEntry } from '../fixtures/roles';
import { admin, expect, somebody, test } from '../fixtures/shop';

test('a visitor makes and removes nobody', async ({ guest }) => {
  const { email } = (await guest('customer')).client;
  const { page, client } = await guest('visitor');
  await expectLogin(page, '/dashboard/users');
  await expectAnswers(client, [
    ['PUT', `/user/admin/${email}`, 401],
    ['DELETE', `/user/admin/${email}`, 401],
    ['DELETE', `/user/${email}`, 401],
  ]);
});

test('a customer makes nobody an admin, least of all themselves', async ({ guest }) => {
  const { page, client } = await guest('customer');
  await expectNoEntry(page, '/dashboard/users');
  for (const [method, path] of [
    ['PUT', `/user/admin/${client.email}`],
    ['DELETE', `/user/admin/${admin.email}`],
    ['DELETE', `/user/${admin.email}`],
  ] as const) {
    const { status, body } = await client.call(method, path);
    expect(status, `${method} ${path}`).toBe(403);
    expect(body.message).toBe('You are not authorized to do this');
  }
  expect((await client.done('GET', `/admin/${client.email}`)).admin).toBe(false);
});

test('an admin shares the role from the list, and it counts at once', async ({ guest }) => {
  const newcomer = await guest('customer', somebody('Robin Promoted'));
  await expectNoEntry(newcomer.page, '/dashboard/users');
  const { page } = await guest('admin');
  await page.goto('/dashboard/users');
  await page.getByLabel('Search').fill(newcomer.client.email);
  await page.getByRole('button', { name: `Make Admin ${newcomer.client.email}` }).click();
  await expect(page.getByText('Successfully made an admin')).toBeVisible();
  await newcomer.page.goto('/dashboard/users');
  await expect(newcomer.page.getByRole('heading', { level: 1 })).toHaveText(/^All users: \d/);
  await expectAnswers(newcomer.client, [
    ['DELETE', `/user/admin/${newcomer.client.email}`, 200],
    ['GET', '/user', 403],
  ]);
});

test('an admin whose role was taken meanwhile is shown the toast of the spec', async ({
  guest,
  adminApi,
  consoleErrors,
}) => {
  consoleErrors.allow(403, /\/user/);
  const target = (await guest('customer')).client;
  const former = await guest('customer', somebody('Robin Demoted'));
  await adminApi.done('PUT', `/user/admin/${former.client.email}`);
  await former.page.goto('/dashboard/users');
  await former.page.getByLabel('Search').fill(target.email);
  const make = former.page.getByRole('button', { name: `Make Admin ${target.email}` });
  await expect(make).toBeVisible();
  await adminApi.done('DELETE', `/user/admin/${former.client.email}`);
  await make.click();
  await expect(former.page.getByText('You are not authorized to do this').first()).toBeVisible();
  expect((await adminApi.done('GET', `/admin/${target.email}`)).admin).toBe(false);
});

test('nobody removes themselves', async ({ guest }) => {
  const { page, client } = await guest('admin');
  await page.goto('/dashboard/users');
  await page.getByLabel('Search').fill(admin.email);
  await expect(page.getByRole('button', { name: `Remove User ${admin.email}` })).toBeDisabled();
  await expectAnswers(client, [['DELETE', `/user/${admin.email}`, 409]]);
});
