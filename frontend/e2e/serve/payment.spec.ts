import type { Page } from '@playwright/test';
import type { ApiClient } from '../fixtures/api-client';
import { chargesOf, expect, happenings, test } from '../fixtures/serve/world';
import { fillCard } from '../fixtures/shop';

const good = '4242 4242 4242 4242';
const declined = '4000 0000 0000 0002';
const asks = '4000 0027 6000 3184';

async function goPay(page: Page, order: string, card: string): Promise<void> {
  await page.goto(`/dashboard/payment/${order}`);
  await fillCard(page, card);
}

function pay(page: Page) {
  return page.getByRole('button', { name: /^Pay/ });
}

async function payWith(page: Page, order: string, card: string): Promise<void> {
  await goPay(page, order, card);
  await pay(page).click();
}

async function answerTheBank(page: Page, answer: 'Complete' | 'Fail'): Promise<void> {
  const bank = page.frameLocator('iframe[title="3-D Secure"]');
  await bank.getByRole('button', { name: answer }).click();
}

async function expectReceipt(page: Page): Promise<void> {
  await expect(page.getByRole('alert')).toContainText('Payment Successful');
  await expect(page.getByRole('alert')).toContainText(/pi_\w+/);
}

/** The receipt stands as soon as the card was charged; that the shop has written it down comes a moment later. */
async function expectPaid(customer: ApiClient, order: string): Promise<void> {
  await expect.poll(() => happenings(customer, order)).toEqual(['ordered', 'paid']);
}

/** Keeps the browser's word from the shop; answers when it wanted to give it, and how it may. */
async function holdTheWord(page: Page) {
  let letGo = () => {};
  let given = () => {};
  const held = new Promise<void>((done) => {
    letGo = done;
  });
  const spoken = new Promise<void>((done) => {
    given = done;
  });
  await page.route('**/orders/*', async (route) => {
    if (route.request().method() !== 'PATCH') return route.fallback();
    given();
    await held;
    await route.fallback();
  });
  return { spoken, letGo };
}

test('a good card pays, and the money is taken once', async ({
  page,
  customer,
  adminApi,
  world,
}) => {
  const order = await customer.order(await adminApi.addProduct());
  await page.goto(`/dashboard/payment/${order}`);
  await page.getByRole('button', { name: 'Buy Now' }).click();
  await expect(page.getByLabel('Card number')).toBeFocused();
  await fillCard(page, good);
  await pay(page).click();
  await expectReceipt(page);
  await expectPaid(customer, order);
  const paid = await customer.done('GET', `/orders/${order}`);
  expect(paid).toMatchObject({ paid: true, status: 'Pending' });
  await expect(page.getByRole('alert')).toContainText(paid.payment.transactionId);
  const intent = await world.backend.paymentIntents.retrieve(paid.payment.transactionId, {
    expand: ['payment_method'],
  });
  expect(intent).toMatchObject({ amount: 645_000, currency: 'usd', metadata: { order_id: order } });
  expect(intent.payment_method).toMatchObject({
    billing_details: { name: customer.account?.name, email: customer.email },
  });
  expect(await chargesOf(world, intent.id)).toBe(1);
});

test('a declined card says so in the words of Stripe, and another one pays', async ({
  page,
  customer,
  adminApi,
  consoleErrors,
}) => {
  consoleErrors.allow(402, /api\.stripe\.com/);
  const order = await customer.order(await adminApi.addProduct());
  await payWith(page, order, declined);
  await expect(page.getByRole('alert')).toHaveText('Your card was declined.');
  expect((await customer.done('GET', `/orders/${order}`)).paid).toBe(false);
  await expect(pay(page)).toBeEnabled();
  await fillCard(page, good);
  await pay(page).click();
  await expectReceipt(page);
  await expectPaid(customer, order);
});

test('a card whose bank asks for its owner pays once the owner has answered', async ({
  page,
  customer,
  adminApi,
}) => {
  const order = await customer.order(await adminApi.addProduct());
  await payWith(page, order, asks);
  await expect(page.getByRole('dialog', { name: '3-D Secure' })).toBeVisible();
  expect((await customer.done('GET', `/orders/${order}`)).paid).toBe(false);
  await answerTheBank(page, 'Complete');
  await expectReceipt(page);
  await expectPaid(customer, order);
});

test('a card whose owner does not answer its bank pays nothing, and may be tried again', async ({
  page,
  customer,
  adminApi,
}) => {
  const order = await customer.order(await adminApi.addProduct());
  await payWith(page, order, asks);
  await answerTheBank(page, 'Fail');
  await expect(page.getByRole('alert')).toContainText('unable to authenticate your payment method');
  expect(await happenings(customer, order)).toEqual(['ordered']);
  await pay(page).click();
  await answerTheBank(page, 'Complete');
  await expectReceipt(page);
  await expectPaid(customer, order);
});

test("what Stripe's message settled before the browser's word came is settled once", async ({
  page,
  customer,
  adminApi,
  world,
}) => {
  const order = await customer.order(await adminApi.addProduct());
  const word = await holdTheWord(page);
  await payWith(page, order, good);
  await word.spoken;
  await expectPaid(customer, order);
  word.letGo();
  await expectReceipt(page);
  await expect(page.getByText("We'll approve and ship your order shortly.")).toBeVisible();
  await expectPaid(customer, order);
  const { payment } = await customer.done('GET', `/orders/${order}`);
  expect(await chargesOf(world, payment.transactionId)).toBe(1);
});

for (const [notified, way] of [
  [true, "by Stripe's message"],
  [false, 'by the shop asking Stripe, where no message comes either'],
] as const) {
  test(`a tab that is closed right after the card was charged leaves an order that is settled ${way}`, async ({
    page,
    customer,
    adminApi,
    world,
  }) => {
    await world.stripe.desk('webhooks', { paused: !notified });
    const order = await customer.order(await adminApi.addProduct());
    const word = await holdTheWord(page);
    await payWith(page, order, good);
    await word.spoken;
    await page.close();
    const within = notified ? 5_000 : 60_000;
    await expect
      .poll(() => happenings(customer, order), { timeout: within })
      .toEqual(['ordered', 'paid']);
    await world.stripe.desk('webhooks', { paused: false });
  });
}

test('a shop that cannot be notified says that it will see by itself, and does', async ({
  page,
  customer,
  adminApi,
  consoleErrors,
}) => {
  consoleErrors.allow(503, /\/orders\//);
  const order = await customer.order(await adminApi.addProduct());
  await page.route('**/orders/*', (route) =>
    route.request().method() === 'PATCH'
      ? route.fulfill({ status: 503, body: '' })
      : route.fallback(),
  );
  await payWith(page, order, good);
  await expectReceipt(page);
  await expect(page.getByText('It may take a minute to show on your order')).toBeVisible();
  await expectPaid(customer, order);
});

test('two clicks on Pay charge once', async ({ page, customer, adminApi, world }) => {
  const order = await customer.order(await adminApi.addProduct());
  await goPay(page, order, good);
  await pay(page).dblclick();
  await expectReceipt(page);
  await expectPaid(customer, order);
  const { payment } = await customer.done('GET', `/orders/${order}`);
  expect(await chargesOf(world, payment.transactionId)).toBe(1);
  expect(await happenings(customer, order)).toEqual(['ordered', 'paid']);
  const { data } = await world.stripe.desk<{ data: string[] }>('history');
  const confirms = data.filter((line) => line.includes(`${payment.transactionId}/confirm`));
  expect(confirms).toHaveLength(1);
});

test("Stripe's script is asked for on the payment page and nowhere else", async ({
  page,
  customer,
  adminApi,
}) => {
  const requested: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).hostname.endsWith('stripe.com')) requested.push(request.url());
  });
  const product = await adminApi.addProduct();
  const order = await customer.order(product);
  const others = [
    '/',
    '/shop',
    '/about',
    `/product/${product}`,
    '/dashboard',
    '/dashboard/myOrders',
  ];
  for (const path of [...others, '/dashboard/orderTable', `/dashboard/order/${order}`]) {
    await page.goto(path);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  }
  expect(requested).toEqual([]);
  await page.goto(`/dashboard/payment/${order}`);
  await expect(page.getByLabel('Card number')).toBeVisible();
  expect(requested).toEqual([
    expect.stringMatching(/^https:\/\/js\.stripe\.com\/\w+\/stripe\.js$/),
  ]);
});
