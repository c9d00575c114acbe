import { expectAnswers, expectLogin } from '../fixtures/roles';
import { admin, expect, somebody, test } from '../fixtures/shop';

test('a visitor has no session, no profile and no token', async ({ guest }) => {
  const { page, client } = await guest('visitor');
  await expectLogin(page, '/dashboard', '/dashboard/profile');
  expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toBeNull();
  await expectAnswers(client, [
    ['GET', '/auth/me', 401],
    ['PATCH', '/auth/me', 401, { displayName: 'Nobody' }],
    ['PUT', `/user/${admin.email}`, 401, { email: admin.email }],
  ]);
});

for (const role of ['customer', 'admin'] as const) {
  test(`signed in as ${role}: one gets a token for oneself and for nobody else`, async ({
    guest,
    adminApi,
  }) => {
    expect(adminApi.email).toBe(admin.email);
    const { page, client } = await guest(role);
    const another = role === 'admin' ? 'customer@example.com' : admin.email;
    await page.goto('/dashboard/profile');
    await expect(page.getByRole('main').getByText(client.email).first()).toBeVisible();
    expect(await page.evaluate(() => localStorage.getItem('accessToken'))).toMatch(/^.+\..+\..+$/);
    await expectAnswers(client, [
      ['GET', '/auth/me', 200],
      ['PUT', `/user/${client.email}`, 200, { email: client.email }],
      ['PUT', `/user/${another}`, 403, { email: another }],
    ]);
  });
}

test('a customer changes their own name, and it is theirs on every screen', async ({ guest }) => {
  const { page } = await guest('customer', somebody('Robin Before'));
  await page.goto('/dashboard/profile');
  await page.getByRole('button', { name: 'Edit profile' }).click();
  await page.getByLabel('Display name').fill('Robin After');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Updated Successfully')).toBeVisible();
  const avatar = page.getByRole('banner').getByRole('link', { name: 'My Profile: Robin After' });
  await expect(avatar).toBeVisible();
});
