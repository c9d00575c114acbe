/*
 * What Stripe sends, or somebody in its name, to the shop as it runs in production. Stripe's own library signs, and has
 * the second say on everything that is refused.
 */
import type { ApiClient } from '../fixtures/api-client';
import { type Message, seconds, send, signed, webhookSecrets } from '../fixtures/serve/messages';
import {
  confirm,
  expect,
  happenings,
  hint,
  openPayment,
  test,
  type World,
} from '../fixtures/serve/world';
import type { FakeStripe } from '../node/stripe-fake';

const [secret, secretBefore] = webhookSecrets;
/** What Stripe's library tolerates, in seconds. */
const tolerance = 300;

/** How many messages the shop says it has refused, by its own count. */
async function refused(world: World): Promise<number> {
  const text = await (await fetch(world.metrics)).text();
  const counts = [...text.matchAll(/^webhooks_refused_total\{.*\} (\d+)$/gm)];
  return counts.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** An order, its payment, and a message that would say it is paid. */
async function scene(customer: ApiClient, adminApi: ApiClient) {
  const order = await customer.order(await adminApi.addProduct());
  const payment = await openPayment(customer, order);
  let last = 0;
  const event = (kind = 'payment_intent.succeeded') => {
    last += 1;
    return {
      id: `evt_${payment.id}_${last}`,
      object: 'event',
      type: kind,
      livemode: false,
      data: { object: { id: payment.id, object: 'payment_intent', status: 'succeeded' } },
    };
  };
  return { order, payment, event };
}

async function withoutStripesOwn(stripe: FakeStripe, act: () => Promise<void>): Promise<void> {
  await stripe.desk('webhooks', { paused: true });
  await act();
  await stripe.desk('webhooks', { paused: false });
}

for (const [name, by] of [
  ['in use', secret],
  ['that is on its way out', secretBefore],
] as const) {
  test(`what Stripe's library signs with the secret ${name} settles the order`, async ({
    customer,
    adminApi,
    world,
  }) => {
    await withoutStripesOwn(world.stripe, async () => {
      const { order, payment, event } = await scene(customer, adminApi);
      await confirm(world, payment);
      expect(await send(world.url, signed(event(), by))).toBe(200);
      expect(await happenings(customer, order)).toEqual(['ordered', 'paid']);
    });
  });
}

test('what Stripe itself would accept is accepted: at the edge of time, other schemes beside, in another order', async ({
  customer,
  adminApi,
  world,
}) => {
  const { order, event } = await scene(customer, adminApi);
  const good = signed(event());
  const [time = '', signature = ''] = (good.signature ?? '').split(',');
  const other = String(signed(event(), 'whsec_other').signature).split(',')[1] ?? '';
  for (const message of [
    signed(event(), secret, seconds() - tolerance + 10),
    { ...good, signature: `${signature},${time}` },
    { ...good, signature: `${time},v0=00,${other},${signature}` },
    { ...good, contentType: 'text/plain' },
  ]) {
    const verify = () =>
      world.backend.webhooks.constructEvent(message.body, message.signature ?? '', secret);
    expect(verify).not.toThrow();
    expect(await send(world.url, message)).toBe(200);
  }
  // Stripe was asked each time, and says that nobody has paid.
  expect(await happenings(customer, order)).toEqual(['ordered']);
});

test('messages about anything else than a payment of this shop are dealt with and change nothing', async ({
  customer,
  adminApi,
  world,
}) => {
  const { order, payment, event } = await scene(customer, adminApi);
  const strange = [
    event('payment_intent.created'),
    event('payment_intent.payment_failed'),
    event('charge.refunded'),
    event('customer.created'),
    event('a.kind.from.the.future'),
    { ...event(), data: { object: { id: 'pi_of_another_shop', object: 'payment_intent' } } },
  ];
  for (const message of strange) expect(await send(world.url, signed(message))).toBe(200);
  expect(await happenings(customer, order)).toEqual(['ordered']);
  const unpaid = await customer.call('PATCH', `/orders/${order}`, hint(order, payment.id));
  expect(unpaid.status).toBe(402);
});

/** The same numbers from the same seed, each below 1 (mulberry32). */
function dice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const printable = Array.from({ length: 94 }, (_, nth) => String.fromCharCode(33 + nth));

/** Every way to meddle with a message; each makes of a genuine one another one. */
const forgeries: Record<string, (event: object, roll: () => number) => Message> = {
  'a bit of the body': (event, roll) => {
    const message = signed(event);
    const body = Buffer.from(message.body);
    const at = Math.floor(roll() * body.length);
    body[at] = (body[at] ?? 0) ^ (1 << Math.floor(roll() * 8));
    return { ...message, body };
  },
  'a sign of the header': (event, roll) => {
    const message = signed(event);
    const header = message.signature ?? '';
    const at = Math.floor(roll() * header.length);
    // Digits of a signature may be written in either case.
    const before = header.charAt(at).toLowerCase();
    const others = printable.filter((sign) => sign.toLowerCase() !== before);
    const sign = others[Math.floor(roll() * others.length)] ?? '';
    return { ...message, signature: `${header.slice(0, at)}${sign}${header.slice(at + 1)}` };
  },
  'a shorter header': (event, roll) => {
    const message = signed(event);
    const header = message.signature ?? '';
    return { ...message, signature: header.slice(0, Math.floor(roll() * (header.length - 1))) };
  },
  'a shorter body': (event, roll) => {
    const message = signed(event);
    const end = Math.floor(roll() * message.body.length);
    return { ...message, body: message.body.subarray(0, end) };
  },
  'a longer body': (event, roll) => {
    const message = signed(event);
    const more = Buffer.from(' \n\t{}0\0'.charAt(Math.floor(roll() * 7)));
    return { ...message, body: Buffer.concat([message.body, more]) };
  },
  'another secret': (event, roll) => signed(event, `whsec_${Math.floor(roll() * 1e9)}`),
  'the scheme of test mode alone': (event) => {
    const message = signed(event);
    return { ...message, signature: (message.signature ?? '').replace('v1=', 'v0=') };
  },
  'a made-up scheme': (event, roll) => {
    const message = signed(event);
    const scheme = `v${2 + Math.floor(roll() * 90)}=`;
    return { ...message, signature: (message.signature ?? '').replace('v1=', scheme) };
  },
  'a time long gone': (event, roll) =>
    signed(event, secret, seconds() - tolerance - 5 - Math.floor(roll() * 1e6)),
  'a time to come': (event, roll) =>
    signed(event, secret, seconds() + tolerance + 60 + Math.floor(roll() * 1e6)),
  'the time renewed after signing': (event, roll) => {
    const message = signed(event, secret, seconds() - 400 - Math.floor(roll() * 1e4));
    const renewed = (message.signature ?? '').replace(/^t=\d+/, `t=${seconds()}`);
    return { ...message, signature: renewed };
  },
  'a second time in front of the old one': (event, roll) => {
    const message = signed(event, secret, seconds() - 400 - Math.floor(roll() * 1e4));
    return { ...message, signature: `t=${seconds()},${message.signature}` };
  },
  "another message's signature": (event, roll) => {
    const other = signed({ ...event, id: `evt_${Math.floor(roll() * 1e9)}` });
    return { ...signed(event), signature: other.signature };
  },
  'no signature': (event) => ({ ...signed(event), signature: null }),
  'an empty signature': (event) => ({ ...signed(event), signature: '' }),
  'no signature, as a form': (event) => ({
    ...signed(event),
    signature: null,
    contentType: 'application/x-www-form-urlencoded',
  }),
  'a large body that nobody signed': (event, roll) => {
    const filling = 'x'.repeat(20_000 + Math.floor(roll() * 60_000));
    const { body } = signed({ ...event, filling });
    return { body, signature: signed(event).signature };
  },
};

test('of a thousand forged, altered, stale and unsigned messages none has an effect, and all are counted', async ({
  customer,
  adminApi,
  world,
}) => {
  const seed = Number(process.env.SEED ?? 20_261_121);
  const roll = dice(seed);
  const { order, payment, event } = await scene(customer, adminApi);
  const before = await refused(world);
  const ways = Object.entries(forgeries);
  const messages = Array.from({ length: 1_000 }, (_, nth) => {
    const [way, forge] = ways[nth % ways.length] ?? [];
    if (!way || !forge) throw new Error('there are ways');
    return { what: `${way} (message ${nth} of seed ${seed})`, ...forge(event(), roll) };
  });
  for (let sent = 0; sent < messages.length; sent += 20) {
    const some = messages.slice(sent, sent + 20);
    const answers = await Promise.all(some.map((message) => send(world.url, message)));
    some.forEach((message, nth) => {
      expect(answers[nth], message.what).toBe(400);
    });
  }
  expect((await refused(world)) - before).toBe(messages.length);
  expect(await happenings(customer, order)).toEqual(['ordered']);

  // Stripe's library refuses them as well, but for those from the future, to which it does not object.
  for (const message of messages.filter(({ what }) => !what.startsWith('a time to come'))) {
    for (const known of webhookSecrets) {
      const verify = () =>
        world.backend.webhooks.constructEvent(message.body, message.signature ?? '', known);
      expect(verify, message.what).toThrow();
    }
  }

  // And the genuine one still counts.
  await confirm(world, payment);
  expect(await send(world.url, signed(event()))).toBe(200);
  expect(await happenings(customer, order)).toEqual(['ordered', 'paid']);
});

test('a body that is too large is refused before anybody looks at its signature', async ({
  customer,
  adminApi,
  world,
}) => {
  const { order, event } = await scene(customer, adminApi);
  const huge = signed({ ...event(), filling: 'x'.repeat(200_000) });
  expect(await send(world.url, huge)).toBe(413);
  expect(await happenings(customer, order)).toEqual(['ordered']);
});
