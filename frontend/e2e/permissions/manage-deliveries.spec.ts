import { expectAnswers } from '../fixtures/roles';
import { expect, test } from '../fixtures/shop';

test('neither a visitor nor a customer sees what the shop sends out', async ({ guest }) => {
  for (const [role, status] of [
    ['visitor', 401],
    ['customer', 403],
  ] as const) {
    const { client } = await guest(role);
    await expectAnswers(client, [
      ['GET', '/outbox', status],
      ['POST', '/outbox/1/retry', status],
    ]);
  }
});

test('an admin sees which e-mail went to whom, and puts back only what was given up', async ({
  guest,
  adminApi,
}) => {
  const customer = (await guest('customer')).client;
  const order = await customer.order(await adminApi.addProduct());
  const admin = (await guest('admin')).client;
  const sent = async () => {
    const emails = await admin.done('GET', '/outbox?state=sent&limit=1000');
    return emails.find((email: { orderId: string }) => email.orderId === order);
  };
  await expect.poll(sent).toMatchObject({
    channel: 'mail',
    topic: 'order.ordered',
    to: customer.email,
    attempts: 1,
    state: 'sent',
    lastError: null,
  });
  const { _id } = await sent();
  await expectAnswers(admin, [
    ['POST', `/outbox/${_id}/retry`, 409],
    ['POST', '/outbox/0/retry', 404],
    ['GET', '/outbox?state=lost', 422],
  ]);
});
