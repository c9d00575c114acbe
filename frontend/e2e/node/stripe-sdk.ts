/*
 * A second opinion on the fake Stripe of the testkit: Stripe's own library drives it, so that what our tests believe of
 * Stripe is at least what Stripe's library believes.
 */
import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Endpoint,
  type FakeStripe,
  keys,
  signedWebhook,
  startEndpoint,
  startFakeStripe,
} from './stripe-fake';

const errors = Stripe.errors;
const order = { amount: 645_000, currency: 'usd', payment_method_types: ['card'] };
const secrets = ['whsec_old', 'whsec_new'];

let fake: FakeStripe;
let stripe: Stripe;
let browser: Stripe;
let endpoint: Endpoint;

beforeAll(async () => {
  fake = await startFakeStripe();
  endpoint = await startEndpoint();
  stripe = fake.client(keys.secret);
  browser = fake.client(keys.publishable);
});

afterAll(() => {
  fake?.stop();
  endpoint?.stop();
});

let lastKey = 0;
function freshKey(): string {
  lastKey += 1;
  return `key-${lastKey}`;
}

/** What a promise is broken with. */
async function broken(promise: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(errors.StripeError);
  return error as Stripe.errors.StripeError;
}

async function paid(): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.create({
    ...order,
    confirm: true,
    payment_method: 'pm_card_visa',
    expand: ['latest_charge'],
  });
}

async function newest(): Promise<string | undefined> {
  return (await stripe.paymentIntents.list({ limit: 1 })).data[0]?.id;
}

describe('a payment', () => {
  test('is opened, found, changed, listed and cancelled', async () => {
    const opened = await stripe.paymentIntents.create({ ...order, metadata: { order_id: '7' } });
    expect(opened).toMatchObject({ status: 'requires_payment_method', livemode: false });
    expect(opened.lastResponse.requestId).toMatch(/^req_/);
    expect(opened.lastResponse.apiVersion).toBe(Stripe.API_VERSION);
    const found = await stripe.paymentIntents.retrieve(opened.id);
    expect(found.metadata).toEqual({ order_id: '7' });
    const changed = await stripe.paymentIntents.update(opened.id, {
      amount: 645_100,
      metadata: { note: 'dearer' },
    });
    expect(changed).toMatchObject({
      amount: 645_100,
      metadata: { order_id: '7', note: 'dearer' },
    });
    expect(await newest()).toBe(opened.id);
    const stopped = await stripe.paymentIntents.cancel(opened.id, {
      cancellation_reason: 'abandoned',
    });
    expect(stopped).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' });
  });

  test('is paid from a browser with a publishable key and its client secret', async () => {
    const opened = await stripe.paymentIntents.create({ ...order, metadata: { order_id: '7' } });
    const card = await browser.paymentMethods.create({
      type: 'card',
      card: { number: '4242424242424242', exp_month: 12, exp_year: 2034, cvc: '123' },
      billing_details: { name: 'Robin Vale', email: 'robin@example.com' },
    });
    expect(card.card).toMatchObject({ brand: 'visa', last4: '4242' });
    const proof = { client_secret: opened.client_secret ?? '' };
    const confirmed = await browser.rawRequest('POST', `/v1/payment_intents/${opened.id}/confirm`, {
      ...proof,
      payment_method: card.id,
    });
    expect(confirmed).toMatchObject({ status: 'succeeded' });
    const seen = await browser.paymentIntents.retrieve(opened.id, proof);
    expect(seen.status).toBe('succeeded');
    expect(seen.metadata).toBeUndefined();
    const whole = await stripe.paymentIntents.retrieve(opened.id, {
      expand: ['latest_charge', 'payment_method'],
    });
    expect(whole.latest_charge).toMatchObject({ paid: true, amount_captured: 645_000 });
    expect(whole.payment_method).toMatchObject({ billing_details: { name: 'Robin Vale' } });
    const method = await stripe.paymentMethods.retrieve(card.id);
    expect(method.id).toBe(card.id);
  });

  test('waits for the owner of a card with 3-D Secure', async () => {
    for (const [action, status] of [
      ['authenticate', 'succeeded'],
      ['fail_authentication', 'requires_payment_method'],
    ] as const) {
      const opened = await stripe.paymentIntents.create(order);
      const waiting = await stripe.paymentIntents.confirm(opened.id, {
        payment_method: 'pm_card_authenticationRequired',
        return_url: 'https://shop.test/paid',
      });
      expect(waiting.status).toBe('requires_action');
      expect(waiting.next_action?.redirect_to_url?.return_url).toBe('https://shop.test/paid');
      await fake.desk(`payment_intents/${opened.id}/${action}`, {});
      expect((await stripe.paymentIntents.retrieve(opened.id)).status).toBe(status);
    }
  });

  test('is found again on every page of a list', async () => {
    const opened: string[] = [];
    for (let count = 0; count < 5; count += 1) {
      opened.unshift((await stripe.paymentIntents.create(order)).id);
    }
    const listed: string[] = [];
    for await (const intent of stripe.paymentIntents.list({ limit: 2 })) {
      listed.push(intent.id);
    }
    expect(listed.slice(0, 5)).toEqual(opened);
    expect(new Set(listed).size).toBe(listed.length);
  });
});

describe('a page from elsewhere', () => {
  test('may speak to it with the publishable key, and read the answer', async () => {
    const { id, client_secret } = await stripe.paymentIntents.create(order);
    const url = `${fake.base}/v1/payment_intents/${id}?client_secret=${client_secret}`;
    const requested = await fetch(url, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://shop.test',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'authorization',
      },
    });
    expect(requested.status).toBe(204);
    expect(requested.headers.get('access-control-allow-headers')).toContain('authorization');
    const answer = await fetch(url, { headers: { authorization: `Bearer ${keys.publishable}` } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(await answer.json()).toMatchObject({ id, status: 'requires_payment_method' });
  });
});

describe('a refund', () => {
  test('sends back a part and then the rest, and no more than came in', async () => {
    const { id } = await paid();
    const part = await stripe.refunds.create({ payment_intent: id, amount: 600_000 });
    expect(part).toMatchObject({ amount: 600_000, status: 'succeeded', payment_intent: id });
    const more = await broken(stripe.refunds.create({ payment_intent: id, amount: 45_001 }));
    expect(more).toBeInstanceOf(errors.StripeInvalidRequestError);
    const rest = await stripe.refunds.create({ payment_intent: id, reason: 'duplicate' });
    expect(rest.amount).toBe(45_000);
    const again = await broken(stripe.refunds.create({ payment_intent: id }));
    expect(again.code).toBe('charge_already_refunded');
    const listed = await stripe.refunds.list({ payment_intent: id });
    expect(listed.data.map((refund) => refund.id)).toEqual([rest.id, part.id]);
    const seen = await stripe.refunds.retrieve(rest.id, { expand: ['charge'] });
    expect(seen.charge).toMatchObject({ refunded: true, amount_refunded: 645_000 });
  });
});

describe('an idempotency key', () => {
  test('gets the same answer again, and says so', async () => {
    const idempotencyKey = freshKey();
    const first = await stripe.paymentIntents.create(order, { idempotencyKey });
    const again = await stripe.paymentIntents.create(order, { idempotencyKey });
    expect(again).toEqual(first);
    expect(first.lastResponse.headers['idempotent-replayed']).toBeUndefined();
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    const other = stripe.paymentIntents.create({ ...order, amount: 50 }, { idempotencyKey });
    const error = await broken(other);
    expect(error).toBeInstanceOf(errors.StripeIdempotencyError);
    expect(error.statusCode).toBe(400);
  });

  test('gets a refusal of the bank again, too', async () => {
    const { id } = await stripe.paymentIntents.create(order);
    const confirm = { payment_method: 'pm_card_visa_chargeDeclined' };
    const idempotencyKey = freshKey();
    const first = await broken(stripe.paymentIntents.confirm(id, confirm, { idempotencyKey }));
    const again = await broken(stripe.paymentIntents.confirm(id, confirm, { idempotencyKey }));
    expect(first).toBeInstanceOf(errors.StripeCardError);
    expect(again.charge).toBe(first.charge);
    expect(again.headers?.['idempotent-replayed']).toBe('true');
  });

  test('is in use while its first answer is under way', async () => {
    await fake.order({ next: ['slow:600'] });
    const idempotencyKey = freshKey();
    const first = stripe.paymentIntents.create(order, { idempotencyKey });
    await new Promise((done) => setTimeout(done, 200));
    const meanwhile = await broken(stripe.paymentIntents.create(order, { idempotencyKey }));
    expect(meanwhile).toMatchObject({ statusCode: 409, code: 'idempotency_key_in_use' });
    await first;
  });

  test("carries the library's own second attempt after an answer that never came", async () => {
    for (const trouble of ['hang_up_after', 'hang_after', 'unavailable', 'bad_gateway']) {
      const before = await newest();
      await fake.order({ next: [trouble], calls: 'POST' });
      const patient = fake.client(keys.secret, { maxNetworkRetries: 2, timeout: 500 });
      const opened = await patient.paymentIntents.create(order);
      const list = await stripe.paymentIntents.list({ limit: 2 });
      expect(list.data.map((intent) => intent.id)).toEqual([opened.id, before]);
    }
  });
});

describe('what goes wrong', () => {
  test.each([
    ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', ''],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', ''],
  ])('%s is declined', async (payment_method, code, declineCode) => {
    const { id } = await stripe.paymentIntents.create(order);
    const error = await broken(stripe.paymentIntents.confirm(id, { payment_method }));
    expect(error).toBeInstanceOf(errors.StripeCardError);
    expect(error).toMatchObject({ statusCode: 402, code });
    expect(error.decline_code).toBe(declineCode);
    expect(error.payment_intent).toMatchObject({ id, status: 'requires_payment_method' });
    expect(error.doc_url).toContain('error-codes');
  });

  test('a request that makes no sense', async () => {
    const unknown = await broken(stripe.paymentIntents.retrieve('pi_unknown'));
    expect(unknown).toBeInstanceOf(errors.StripeInvalidRequestError);
    expect(unknown).toMatchObject({ statusCode: 404, code: 'resource_missing', param: 'intent' });
    const small = await broken(stripe.paymentIntents.create({ ...order, amount: 49 }));
    expect(small).toMatchObject({ statusCode: 400, code: 'amount_too_small', param: 'amount' });
    const { id } = await paid();
    const late = await broken(stripe.paymentIntents.cancel(id));
    expect(late).toMatchObject({ statusCode: 400, code: 'payment_intent_unexpected_state' });
  });

  test('a key that is none, and one that may not', async () => {
    const nobody = await broken(fake.client('sk_test_nobody').events.list());
    expect(nobody).toBeInstanceOf(errors.StripeAuthenticationError);
    const guest = await broken(browser.refunds.list());
    expect(guest).toBeInstanceOf(errors.StripePermissionError);
    expect(guest.code).toBe('secret_key_required');
  });

  test('too many requests, a server that fails, an answer that is none', async () => {
    await fake.order({ next: ['too_many:3', 'server_error', 'truncated', 'html'] });
    const limited = await broken(stripe.events.list());
    expect(limited).toBeInstanceOf(errors.StripeRateLimitError);
    expect(limited.headers?.['retry-after']).toBe('3');
    for (const message of [/unknown error/, /Invalid JSON/, /Invalid JSON/]) {
      const failed = await broken(stripe.events.list());
      expect(failed).toBeInstanceOf(errors.StripeAPIError);
      expect(failed.message).toMatch(message);
    }
  });

  test('nobody answers', async () => {
    await fake.order({ next: ['hang_before'] });
    const hasty = fake.client(keys.secret, { timeout: 300 });
    expect(await broken(hasty.events.list())).toBeInstanceOf(errors.StripeConnectionError);
    // The library asks once more by itself where a connection closes.
    await fake.order({ next: ['hang_up_before', 'hang_up_before'] });
    expect(await broken(stripe.events.list())).toBeInstanceOf(errors.StripeConnectionError);
  });

  test('a server that failed says under the same key that it failed', async () => {
    await fake.order({ next: ['server_error_after'], calls: 'POST /v1/payment_intents' });
    const before = await newest();
    const patient = fake.client(keys.secret, { maxNetworkRetries: 2 });
    const idempotencyKey = freshKey();
    const failed = await broken(patient.paymentIntents.create(order, { idempotencyKey }));
    expect(failed).toBeInstanceOf(errors.StripeAPIError);
    const again = await broken(patient.paymentIntents.create(order, { idempotencyKey }));
    expect(again.headers?.['idempotent-replayed']).toBe('true');
    expect(await newest()).not.toBe(before);
  });
});

describe('webhooks', () => {
  beforeAll(() => fake.desk('webhooks', { url: endpoint.url, secrets }));
  afterAll(() => fake.desk('webhooks', { url: null }));

  test('are signed with every secret, and hold what the list of events holds', async () => {
    const intent = await paid();
    const kinds = new Set<string>();
    for (let count = 0; count < 3; count += 1) {
      const { body, headers } = await endpoint.next();
      const signature = headers['stripe-signature'] ?? '';
      for (const secret of secrets) {
        const event = stripe.webhooks.constructEvent(body, signature, secret);
        kinds.add(event.type);
        expect(await stripe.events.retrieve(event.id)).toEqual(event);
      }
      expect(() => stripe.webhooks.constructEvent(body, signature, 'whsec_other')).toThrow(
        errors.StripeSignatureVerificationError,
      );
      expect(() => stripe.webhooks.constructEvent(`${body} `, signature, 'whsec_new')).toThrow(
        errors.StripeSignatureVerificationError,
      );
    }
    const expected = ['charge.succeeded', 'payment_intent.created', 'payment_intent.succeeded'];
    expect([...kinds].sort()).toEqual(expected);
    const succeeded = await stripe.events.list({ type: 'payment_intent.succeeded', limit: 1 });
    expect(succeeded.data[0]?.data.object).toMatchObject({ id: intent.id, status: 'succeeded' });
  });

  test('come again until they are taken, signed anew', async () => {
    endpoint.answerWith(503);
    const { id } = await stripe.paymentIntents.create(order);
    const first = await endpoint.next();
    endpoint.answerWith(204);
    await fake.desk('advance', { seconds: 2 });
    const again = await endpoint.next();
    expect(again.body).toBe(first.body);
    expect(JSON.parse(again.body).data.object.id).toBe(id);
    expect(again.headers['stripe-signature']).not.toBe(first.headers['stripe-signature']);
    endpoint.answerWith(200);
  });

  test("carry the signature that Stripe's own library would make", async () => {
    await stripe.paymentIntents.create(order);
    const { body, headers } = await endpoint.next();
    const signature = String(headers['stripe-signature']);
    const timestamp = Number(/^t=(\d+)/.exec(signature)?.[1]);
    for (const secret of secrets) {
      const ours = signedWebhook(JSON.parse(body), secret, timestamp);
      expect(ours.body).toBe(body);
      expect(signature).toContain(String(ours.headers['stripe-signature']).split(',')[1]);
    }
  });
});
