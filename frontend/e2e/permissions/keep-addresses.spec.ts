import { expectAnswers } from '../fixtures/roles';
import { expect, test } from '../fixtures/shop';

const depot = {
  name: 'Depot 7',
  line1: '1 Industrial Way',
  city: 'Berlin',
  postcode: '10115',
  country: 'DE',
};

const everything = (id: string, status: number) =>
  [
    ['PUT', `/addresses/${id}`, status, depot],
    ['DELETE', `/addresses/${id}`, status],
  ] as const;

test('a visitor has no address book', async ({ guest }) => {
  const customer = (await guest('customer')).client;
  const { _id } = (await customer.done('POST', '/addresses', depot)) as { _id: string };
  const { client } = await guest('visitor');
  await expectAnswers(client, [
    ['GET', '/addresses', 401],
    ['POST', '/addresses', 401, depot],
    ...everything(_id, 401),
  ]);
});

test('a customer keeps their own addresses, and nobody finds them', async ({ guest }) => {
  const { client } = await guest('customer');
  const { _id } = (await client.done('POST', '/addresses', depot)) as { _id: string };
  for (const role of ['customer', 'admin'] as const) {
    const other = (await guest(role)).client;
    await expectAnswers(other, [['GET', '/addresses', 200], ...everything(_id, 404)]);
    expect(await other.done('GET', '/addresses')).toEqual([]);
  }
  await expectAnswers(client, everything(_id, 200));
});
