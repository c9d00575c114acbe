import { expect, fillBilling, signUp, somebody, test } from './shop';

/** Stands where Stripe's own script would put its object, and answers as its cards of the test mode do. */
function standInForStripe() {
  const refused = { type: 'card_error', message: 'Your card was declined.' };
  let tries = 0;
  const calls: unknown[] = [];
  const cardField = () => {
    let input: HTMLInputElement | undefined;
    const listeners = new Map<string, (event: unknown) => void>();
    return {
      mount(place: HTMLElement) {
        input = document.createElement('input');
        input.setAttribute('aria-label', "Stripe's card field");
        place.append(input);
        setTimeout(() => listeners.get('ready')?.({}), 50);
      },
      focus: () => input?.focus(),
      on: (event: string, listener: (event: unknown) => void) => listeners.set(event, listener),
      once: () => undefined,
      off: () => undefined,
      update: () => undefined,
      destroy: () => undefined,
    };
  };
  let field: ReturnType<typeof cardField> | null = null;
  const stripe = {
    elements: () => ({
      create: () => {
        field = cardField();
        return field;
      },
      getElement: () => field,
      update: () => undefined,
    }),
    createToken: () => undefined,
    createPaymentMethod: async (given: { billing_details: unknown }) => {
      calls.push(given.billing_details);
      return { paymentMethod: { id: 'pm_stand_in' } };
    },
    confirmCardPayment: async (secret: string, given: unknown) => {
      calls.push(secret ? given : 'no secret');
      tries += 1;
      return tries === 1
        ? { error: refused }
        : { paymentIntent: { id: 'pi_stand_in', status: 'succeeded' } };
    },
    registerAppInfo: () => undefined,
    _registerWrapper: () => undefined,
  };
  Object.assign(window, {
    Stripe: Object.assign(() => stripe, { version: 3 }),
    stripeCalls: calls,
  });
}

test("with Stripe on, the card is typed into Stripe's own field", async ({
  page,
  office,
  complaints,
}) => {
  // The stand-in's transaction is none that this shop's provider knows, so the record of it is refused.
  complaints.allow(409, /\/orders\//);
  complaints.allow(422, /\/orders\//);
  await page.addInitScript(standInForStripe);
  await page.route('**/config', (route) =>
    route.fulfill({
      json: { paymentProvider: 'stripe', publishableKey: 'pk_stand_in', google: false },
    }),
  );
  const id = await office.addProduct();
  const buyer = somebody();
  await signUp(page, buyer);
  await page.goto(`/product/${id}`);
  const dialog = await fillBilling(page);
  await dialog.getByRole('button', { name: /^Order 50/ }).click();
  await page.getByRole('link', { name: 'Pay now' }).click();

  await page.getByRole('button', { name: 'Buy Now' }).click();
  await expect(page.getByLabel("Stripe's card field")).toBeFocused();
  await expect(page.getByText('no money moves')).toHaveCount(0);
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(page.getByRole('alert')).toHaveText('Your card was declined.');
  await page.getByRole('button', { name: /^Pay/ }).click();
  await expect(page.getByRole('alert')).toContainText('Payment Successful');
  await expect(page.getByRole('alert')).toContainText('pi_stand_in');
  await expect(page.getByText('will record it by itself within a minute')).toBeVisible();
  const calls = await page.evaluate(() => (window as unknown as { stripeCalls: [] }).stripeCalls);
  expect(calls.slice(0, 2)).toEqual([
    { name: buyer.name, email: buyer.email },
    { payment_method: 'pm_stand_in' },
  ]);
});
