/* What the shop promises in numbers, over HTTP, with Stripe's stand-in behind it. */
import { send, signed } from '../fixtures/serve/messages';
import {
  chargesOf,
  confirm,
  expect,
  happenings,
  hint,
  openPayment,
  test,
  type World,
} from '../fixtures/serve/world';

function times<T>(count: number, act: (nth: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, nth) => act(nth)));
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => setTimeout(done, milliseconds));
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await act();
  return performance.now() - begun;
}

/** Every payment that was opened for an order, however many there are on the account. */
async function paymentsOf(world: World, order: string) {
  const found = [];
  for await (const intent of world.backend.paymentIntents.list({ limit: 100 })) {
    if (intent.metadata.order_id === order) found.push(intent);
  }
  return found;
}

test.afterEach(async ({ world }) => {
  await world.stripe.desk('webhooks', { paused: false });
  await world.stripe.order({ rates: {} });
});

test('50 openings of a payment, 50 copies of a webhook and 20 reports of a browser make one payment, ten times over', async ({
  customer,
  adminApi,
  world,
}) => {
  const product = await adminApi.addProduct({ availableQty: 5_000 });
  // Stripe's own message would be one more than those that are counted here.
  await world.stripe.desk('webhooks', { paused: true });
  for (let round = 1; round <= 10; round += 1) {
    // So that there are calls left for the next round.
    if (round > 1) await pause(1_500);
    const order = await customer.order(product);
    const opened = await times(50, () =>
      customer.done('POST', '/create-payment-intent', { orderId: order }),
    );
    const payment = await openPayment(customer, order);
    expect(new Set(opened.map(({ clientSecret }) => clientSecret))).toEqual(
      new Set([payment.clientSecret]),
    );
    await confirm(world, payment);
    const { data } = await world.backend.events.list({
      type: 'payment_intent.succeeded',
      limit: 1,
    });
    const [event] = data;
    expect(event?.data.object).toMatchObject({ id: payment.id });
    const [messages, reports, openings] = await Promise.all([
      times(50, () => send(world.url, signed(event ?? {}))),
      times(20, () => customer.call('PATCH', `/orders/${order}`, hint(order, payment.id))),
      times(50, () => customer.call('POST', '/create-payment-intent', { orderId: order })),
    ]);
    // One customer may cause only so many calls to Stripe in a while; beyond that it is a 429.
    const refused = ({ status }: { status: number }) => ![200, 409, 429, 503].includes(status);
    // 503 is "send it again", which Stripe does.
    expect(messages.filter((status) => status !== 200 && status !== 503)).toEqual([]);
    expect(messages).toContain(200);
    expect(reports.filter((report) => refused(report) || report.status === 409)).toEqual([]);
    expect(openings.filter((opening) => refused(opening) || opening.status === 503)).toEqual([]);
    expect(await send(world.url, signed(event ?? {}))).toBe(200);

    expect(await happenings(customer, order), `round ${round}`).toEqual(['ordered', 'paid']);
    const paid = await customer.done('GET', `/orders/${order}`);
    expect(paid.payment.transactionId).toBe(payment.id);
    const payments = await paymentsOf(world, order);
    expect(payments.map(({ id, status }) => ({ id, status }))).toEqual([
      { id: payment.id, status: 'succeeded' },
    ]);
    expect(await chargesOf(world, payment.id)).toBe(1);
    const emails: { topic: string; orderId: string }[] = await adminApi.done(
      'GET',
      '/outbox?state=waiting',
    );
    const receipts = emails.filter(
      ({ topic, orderId }) => topic === 'order.paid' && orderId === order,
    );
    expect(receipts).toHaveLength(1);
  }
});

test('without a single message of Stripe, paid orders are settled within a minute', async ({
  customer,
  adminApi,
  world,
}, info) => {
  await world.stripe.desk('webhooks', { paused: true });
  const product = await adminApi.addProduct({ availableQty: 5_000 });
  // On these Stripe hangs when it is asked, ten seconds each, and the others must not wait for them.
  for (let hanging = 0; hanging < 8; hanging += 1) {
    const payment = await openPayment(customer, await customer.order(product));
    const calls = `GET /v1/payment_intents/${payment.id}`;
    await world.stripe.order({ next: ['hang_before', 'hang_before'], calls });
  }
  const waits = await times(20, async (nth) => {
    const order = await customer.order(product);
    const payment = await openPayment(customer, order);
    // Half are paid at once, the others right after the shop has looked and seen them unpaid: it will not look again soon.
    if (nth % 2 === 1) {
      await expect
        .poll(
          async () => {
            const { data } = await world.stripe.desk<{ data: string[] }>('history');
            return data.some((line) => line.startsWith(`GET /v1/payment_intents/${payment.id} `));
          },
          { timeout: 30_000 },
        )
        .toBe(true);
    }
    await confirm(world, payment);
    return timed(async () => {
      while (!(await customer.done('GET', `/orders/${order}`)).paid) await pause(250);
    });
  });
  const longest = Math.max(...waits);
  info.annotations.push({ type: 'longest wait', description: `${Math.round(longest)} ms` });
  process.stdout.write(
    `settled without messages: the longest wait was ${Math.round(longest)} ms\n`,
  );
  expect(longest).toBeLessThan(60_000);
});

test('a Stripe that hangs slows nothing that does not need it', async ({
  customer,
  adminApi,
  world,
}) => {
  const orders = await times(30, async () => customer.order(await adminApi.addProduct()));
  const list = async (): Promise<number[]> => {
    const took: number[] = [];
    for (let nth = 0; nth < 100; nth += 1) {
      took.push(await timed(() => customer.done('GET', '/products?limit=24')));
    }
    return took.sort((one, other) => one - other);
  };
  const at = (sorted: number[], share: number) => sorted[Math.floor(share * sorted.length)] ?? 0;
  await list();
  const calm = await list();
  await world.stripe.order({ rates: { hang_before: 1 } });
  const stuck = orders.map((order) =>
    customer.call('POST', '/create-payment-intent', { orderId: order }),
  );
  await pause(300);
  const during = await list();
  await world.stripe.order({ rates: {} });
  const lines = [calm, during].map(
    (took) => `${at(took, 0.5).toFixed(1)} ms (${at(took, 0.95).toFixed(1)} ms)`,
  );
  process.stdout.write(
    `product list, median (95th percentile): calm ${lines[0]}, hanging ${lines[1]}\n`,
  );
  expect(at(during, 0.95)).toBeLessThan(4 * at(calm, 0.95) + 100);

  // Whoever waited for Stripe is answered as soon as Stripe is back, or asked to try again.
  for (const { status } of await Promise.all(stuck)) expect([200, 502, 503, 504]).toContain(status);
  // One account opens thirty payments at once, and two a second from then on.
  const patiently = async (order: string) => {
    await expect
      .poll(
        async () =>
          (await customer.call('POST', '/create-payment-intent', { orderId: order })).status,
        { intervals: [1_000], timeout: 30_000 },
      )
      .toBe(200);
    return openPayment(customer, order);
  };
  const opened = await Promise.all(orders.map(patiently));
  expect(new Set(opened.map(({ id }) => id)).size).toBe(orders.length);
});

for (const [lie, statuses] of [
  ['wrong_types', [502]],
  ['truncated', [502]],
  ['html', [502]],
  ['anothers', [409, 502]],
  ['wrong_amount', [409]],
] as const) {
  test(`a Stripe that lies is not believed, and its lie is logged: ${lie}`, async ({
    customer,
    adminApi,
    world,
  }) => {
    await world.stripe.desk('webhooks', { paused: true });
    const product = await adminApi.addProduct();
    const other = await openPayment(customer, await customer.order(product));
    const order = await customer.order(product);
    const payment = await openPayment(customer, order);
    await confirm(world, payment);
    const logged = world.log.length;
    // The shop looks at open payments by itself, and must be lied to as well.
    const calls = `GET /v1/payment_intents/${payment.id}`;
    await world.stripe.order({ next: Array.from({ length: 12 }, () => lie), calls });
    const answer = await customer.call('PATCH', `/orders/${order}`, hint(order, payment.id));
    expect(statuses).toContain(answer.status);
    expect((await customer.call('PATCH', `/orders/${order}`, hint(order, other.id))).status).toBe(
      409,
    );
    expect(await happenings(customer, order)).toEqual(['ordered']);
    const lines = world.log.slice(logged).filter((line) => /"level":"(WARN|ERROR)"/.test(line));
    expect(lines.join('\n')).toMatch(/payment|provider/i);
  });
}
