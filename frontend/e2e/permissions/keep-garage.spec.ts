import { expectAnswers, expectLogin } from '../fixtures/roles';
import { expect, test } from '../fixtures/shop';

/** The 2014 Toyota Camry. */
const camry = { vehicle: 390_258 };

const everything = (id: string, status: number) =>
  [
    ['PUT', `/garage/${id}`, status, { name: 'Mine' }],
    ['DELETE', `/garage/${id}`, status],
  ] as const;

test('a visitor has no garage', async ({ guest }) => {
  const customer = (await guest('customer')).client;
  const { _id } = (await customer.done('POST', '/garage', camry)) as { _id: string };
  const { page, client } = await guest('visitor');
  await expectLogin(page, '/dashboard/garage');
  await expectAnswers(client, [
    ['GET', '/garage', 401],
    ['POST', '/garage', 401, camry],
    ['POST', '/garage/merge', 401, { vehicles: [camry] }],
    ...everything(_id, 401),
  ]);
});

test('a customer keeps their own vehicles, and nobody finds them', async ({ guest }) => {
  const { page, client } = await guest('customer');
  const { _id } = (await client.done('POST', '/garage', camry)) as { _id: string };
  await page.goto('/dashboard/garage');
  await expect(page.getByRole('heading', { name: '2014 Toyota Camry' })).toBeVisible();
  for (const role of ['customer', 'admin'] as const) {
    const other = await guest(role);
    await expectAnswers(other.client, [['GET', '/garage', 200], ...everything(_id, 404)]);
    await other.page.goto('/dashboard/garage');
    await expect(other.page.getByText('Your garage is empty')).toBeVisible();
  }
  await expectAnswers(client, everything(_id, 200));
});
