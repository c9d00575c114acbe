import { expectAnswers } from '../fixtures/roles';
import { test } from '../fixtures/shop';

const unknown = '01890000-0000-7000-8000-000000000000';

test('neither a visitor nor a customer sees or settles what needs attention', async ({ guest }) => {
  for (const [role, status] of [
    ['visitor', 401],
    ['customer', 403],
  ] as const) {
    const { client } = await guest(role);
    await expectAnswers(client, [
      ['GET', '/attention', status],
      ['POST', `/attention/refunds/${unknown}/retry`, status],
      ['POST', `/attention/refunds/${unknown}/acknowledge`, status],
      ['POST', `/attention/payments/pi_1/send-back`, status],
    ]);
  }
});

test('an admin sees the list, and what is not on it', async ({ guest }) => {
  const admin = (await guest('admin')).client;
  await expectAnswers(admin, [
    ['GET', '/attention', 200],
    ['POST', `/attention/refunds/${unknown}/retry`, 404],
    ['POST', `/attention/refunds/${unknown}/acknowledge`, 409],
    ['POST', '/attention/disputes/dp_unknown/acknowledge', 409],
    ['POST', '/attention/payments/pi_unknown/send-back', 404],
  ]);
});
