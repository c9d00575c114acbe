import { expectAnswers } from '../fixtures/roles';
import { expect, test } from '../fixtures/shop';

const unknown = '01890000-0000-7000-8000-000000000000';

test('neither a visitor nor a customer reads, writes or removes a note', async ({ guest }) => {
  for (const [role, status] of [
    ['visitor', 401],
    ['customer', 403],
  ] as const) {
    const { client } = await guest(role);
    await expectAnswers(client, [
      ['GET', `/orders/${unknown}/notes`, status],
      ['POST', `/orders/${unknown}/notes`, status],
      ['GET', '/user/admin@example.com/notes', status],
      ['POST', '/user/admin@example.com/notes', status],
      ['DELETE', `/notes/${unknown}`, status],
    ]);
  }
});

test('an admin notes something about a customer, and removes it once', async ({ guest }) => {
  const customer = (await guest('customer')).client;
  const admin = (await guest('admin')).client;
  const path = `/user/${customer.email}/notes`;
  const { insertedId } = await admin.done('POST', path, { text: 'Prefers calls before noon.' });
  const notes: { _id: string; text: string }[] = await admin.done('GET', path);
  expect(notes).toMatchObject([{ _id: insertedId, text: 'Prefers calls before noon.' }]);
  expect(await admin.done('DELETE', `/notes/${insertedId}`)).toEqual({ deletedCount: 1 });
  expect(await admin.done('DELETE', `/notes/${insertedId}`)).toEqual({ deletedCount: 0 });
  expect(await admin.done('GET', path)).toEqual([]);
});
