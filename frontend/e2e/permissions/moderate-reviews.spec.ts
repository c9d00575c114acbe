import { expectAnswers } from '../fixtures/roles';
import { expect, test } from '../fixtures/shop';

const unknown = '01890000-0000-7000-8000-000000000000';

test('neither a visitor nor a customer takes a review down', async ({ guest }) => {
  for (const [role, status] of [
    ['visitor', 401],
    ['customer', 403],
  ] as const) {
    await expectAnswers((await guest(role)).client, [['DELETE', `/reviews/${unknown}`, status]]);
  }
});

test('an admin takes a review down once, and everybody else stops seeing it', async ({ guest }) => {
  const customer = (await guest('customer')).client;
  const { insertedId } = await customer.done('POST', '/reviews', {
    name: 'Robin Vale',
    rating: 1,
    details: 'To be taken down.',
  });
  const admin = (await guest('admin')).client;
  expect(await admin.done('DELETE', `/reviews/${insertedId}`)).toEqual({ deletedCount: 1 });
  expect(await admin.done('DELETE', `/reviews/${insertedId}`)).toEqual({ deletedCount: 0 });
  const left: { _id: string }[] = await customer.done('GET', '/reviews');
  expect(left.map(({ _id }) => _id)).not.toContain(insertedId);
});
