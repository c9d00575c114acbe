import { expectAnswers, expectLogin } from '../fixtures/roles';
import { admin, expect, test } from '../fixtures/shop';

test('a visitor keeps no profile', async ({ guest }) => {
  const { page, client } = await guest('visitor');
  await expectLogin(page, '/dashboard/profile');
  await expectAnswers(client, [
    ['GET', `/info?email=${admin.email}`, 401],
    ['POST', '/info', 401, { livesIn: 'Nowhere' }],
    ['PUT', `/info?email=${admin.email}`, 401, { updatedLivesIn: 'Nowhere' }],
  ]);
});

test('a customer keeps their own profile, and reads and writes no other', async ({ guest }) => {
  const { page, client } = await guest('customer');
  await page.goto('/dashboard/profile');
  await page.getByRole('button', { name: 'Add Info' }).click();
  await page.getByLabel('Lives in').fill('Camshaft Bay');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('alert')).toHaveText('Info added successfully');
  await expect(page.getByText('Camshaft Bay')).toBeVisible();
  await expectAnswers(client, [
    ['GET', `/info?email=${client.email}`, 200],
    ['GET', `/info?email=${admin.email}`, 403],
    ['PUT', `/info?email=${admin.email}`, 403, { updatedLivesIn: 'Nowhere' }],
  ]);
});

test("an admin keeps their own profile too, and nobody else's", async ({ guest }) => {
  const customer = (await guest('customer')).client;
  const { page, client } = await guest('admin');
  await page.goto('/dashboard/profile');
  await expect(page.getByRole('heading', { name: 'More info' })).toBeVisible();
  await expectAnswers(client, [
    ['GET', `/info?email=${client.email}`, 200],
    ['GET', `/info?email=${customer.email}`, 403],
    ['PUT', `/info?email=${customer.email}`, 403, { updatedLivesIn: 'Nowhere' }],
  ]);
});
