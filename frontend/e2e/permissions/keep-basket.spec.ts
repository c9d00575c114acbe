import { expectAnswers } from '../fixtures/roles';
import { expect, test } from '../fixtures/shop';

const everything = (id: string, status: number) =>
  [
    ['GET', `/lists/${id}`, status],
    ['PUT', `/lists/${id}`, status, { name: 'Mine' }],
    ['POST', `/lists/${id}/check`, status],
    ['DELETE', `/lists/${id}`, status],
  ] as const;

test('a visitor has no cart and no lists at the shop', async ({ guest }) => {
  const customer = (await guest('customer')).client;
  const { insertedId } = (await customer.done('POST', '/lists', { name: 'Weekly' })) as {
    insertedId: string;
  };
  const { client } = await guest('visitor');
  await expectAnswers(client, [
    ['POST', '/quick-order/check', 401, { text: 'DL-1 50' }],
    ['GET', '/cart', 401],
    ['PUT', '/cart', 401, { lines: [] }],
    ['POST', '/cart/merge', 401, { lines: [] }],
    ['GET', '/lists', 401],
    ['POST', '/lists', 401, { name: 'Weekly' }],
    ...everything(insertedId, 401),
  ]);
});

test('a customer keeps a cart and lists of their own, and nobody finds them', async ({ guest }) => {
  const { client } = await guest('customer');
  const { insertedId } = (await client.done('POST', '/lists', { name: 'Weekly' })) as {
    insertedId: string;
  };
  await client.done('POST', '/cart/merge', {
    lines: [{ productId: '0199f3a0-0000-7000-8000-000000000001', quantity: 50 }],
  });
  for (const role of ['customer', 'admin'] as const) {
    const other = (await guest(role)).client;
    await expectAnswers(other, [
      ['GET', '/lists', 200],
      ['POST', '/quick-order/check', 200, { text: 'DL-1 50' }],
      ...everything(insertedId, 404),
    ]);
    expect(await other.done('GET', '/cart')).toEqual({ version: 0, lines: [] });
  }
  await expectAnswers(client, everything(insertedId, 200));
});
