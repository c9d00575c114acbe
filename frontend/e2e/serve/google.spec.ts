import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import type { OpenIdAccount, OpenIdProvider } from '../fixtures/serve/openid-provider';
import { expect, test } from '../fixtures/serve/world';
import { somebody } from '../fixtures/shop';

/** Somebody with an account at the provider. */
function known(google: OpenIdProvider, account: Partial<OpenIdAccount> = {}): OpenIdAccount {
  const email = `rider.${randomUUID().slice(0, 8)}@example.com`;
  const whole = { email, name: 'Sam Quill', verified: true, ...account };
  google.know(whole);
  return whole;
}

function googleButton(page: Page) {
  return page.getByRole('button', { name: 'Continue with Google' });
}

/** Types an address into the provider's page. */
async function signInAtProvider(page: Page, email: string): Promise<void> {
  await expect(page.getByRole('heading')).toHaveText('Sign in to go on to Driveline');
  await page.getByLabel('Email').fill(email);
  await page.getByRole('button', { name: 'Next' }).click();
}

async function sessionOf(page: Page) {
  return (await page.context().cookies()).find((cookie) => cookie.name === 'session');
}

/** Leaves for the provider by an address that was meddled with on the way. */
async function leaveBy(page: Page, meddle: (address: URL) => void): Promise<void> {
  const sentOff = await page.request.get('/auth/google?from=%2Fshop', { maxRedirects: 0 });
  const address = new URL(sentOff.headers().location ?? '');
  meddle(address);
  await page.goto(String(address));
}

async function expectRefusal(page: Page, message: string): Promise<void> {
  await expect(page).toHaveURL(/\/login\?error=/);
  await expect(page.getByRole('alert')).toHaveText(message);
  expect(await sessionOf(page)).toBeUndefined();
}

const failed = "We couldn't sign you in with Google. Please try again.";

for (const [screen, path] of [
  ['Login', '/login'],
  ['Sign up', '/signup'],
] as const) {
  test(`from ${screen} a new person comes back from Google signed in`, async ({ page, world }) => {
    const account = known(world.google);
    await page.goto(path);
    await googleButton(page).click();
    await signInAtProvider(page, account.email);
    await expect(page).toHaveURL(`${world.url}/`);
    await expect(page.getByRole('banner').getByRole('button', { name: 'Sign Out' })).toBeVisible();
    expect(await (await page.request.get('/auth/me')).json()).toMatchObject({
      email: account.email,
      displayName: account.name,
    });
    expect(await sessionOf(page)).toMatchObject({ httpOnly: true, sameSite: 'Lax' });
  });
}

test('whoever was on the way to a page is taken there after Google', async ({ page, world }) => {
  const account = known(world.google);
  await page.goto('/dashboard/myOrders');
  await expect(page).toHaveURL(/\/login$/);
  await googleButton(page).click();
  await signInAtProvider(page, account.email);
  await expect(page).toHaveURL(/\/dashboard\/myOrders$/);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('the browser is sent off with a state, a nonce and a challenge of its own each time', async ({
  page,
}) => {
  const seen = new Set<string>();
  for (let visit = 0; visit < 3; visit += 1) {
    const sentOff = await page.request.get('/auth/google', { maxRedirects: 0 });
    const requested = new URL(sentOff.headers().location ?? '').searchParams;
    expect(requested.get('code_challenge_method')).toBe('S256');
    expect(requested.get('response_type')).toBe('code');
    for (const name of ['state', 'nonce', 'code_challenge']) {
      const value = requested.get(name) ?? '';
      expect(value.length).toBeGreaterThanOrEqual(22);
      seen.add(value);
    }
  }
  expect(seen.size).toBe(9);
});

for (const name of ['state', 'nonce', 'code_challenge']) {
  test(`nobody is signed in whose ${name} was changed on the way`, async ({ page, world }) => {
    const account = known(world.google);
    await leaveBy(page, (address) => {
      const value = address.searchParams.get(name) ?? '';
      address.searchParams.set(name, `${value.slice(0, -1)}${value.endsWith('A') ? 'Q' : 'A'}`);
    });
    await signInAtProvider(page, account.email);
    await expectRefusal(page, failed);
    // The same person, unhindered, gets in.
    await googleButton(page).click();
    await expect(page).toHaveURL(`${world.url}/`);
    expect(await sessionOf(page)).toBeDefined();
  });
}

test('what the provider itself refuses is no cancelling: without a challenge nobody gets to its page', async ({
  page,
}) => {
  await leaveBy(page, (address) => {
    address.searchParams.delete('code_challenge');
    address.searchParams.delete('code_challenge_method');
  });
  await expectRefusal(page, failed);
});

/** Goes through the provider like a browser, up to the way back into the shop, and answers that address. */
async function wayBack(page: Page, email: string, shop: string): Promise<string> {
  const step = async (address: string, form?: { email: string }): Promise<string> => {
    const answer = await page.request.fetch(address, {
      maxRedirects: 0,
      ...(form ? { method: 'POST', form } : {}),
    });
    return new URL(answer.headers().location ?? '', address).href;
  };
  const signIn = await step(await step(`${shop}/auth/google?from=%2Fshop`));
  return step(await step(signIn, { email }));
}

test('a way back that was made for another browser signs nobody in, and neither does a used one', async ({
  page,
  anotherPage,
  world,
}) => {
  const account = known(world.google);
  const back = await wayBack(page, account.email, world.url);
  expect(back).toContain('/auth/google/callback?code=');
  const [attempt] = (await page.context().cookies(back)).filter(
    (cookie) => cookie.name === 'google-attempt',
  );
  if (!attempt) throw new Error('the attempt has no cookie');
  // It would sign them in as whoever sent it to them.
  const victim = await anotherPage();
  await victim.goto(back);
  await expectRefusal(victim, failed);
  const busy = await anotherPage();
  await busy.request.get('/auth/google', { maxRedirects: 0 });
  await busy.goto(back);
  await expectRefusal(busy, failed);

  await page.goto(back);
  await expect(page).toHaveURL(/\/shop$/);
  expect(await sessionOf(page)).toBeDefined();
  const replay = await anotherPage();
  await replay.context().addCookies([attempt]);
  await replay.goto(back);
  await expectRefusal(replay, failed);
});

test('a sign-in that began before the provider changed its keys ends well', async ({
  page,
  anotherPage,
  world,
}) => {
  const first = known(world.google);
  await page.goto('/login');
  await googleButton(page).click();
  await signInAtProvider(page, first.email);
  await expect(page).toHaveURL(`${world.url}/`);

  const second = known(world.google);
  const other = await anotherPage();
  await other.goto('/login');
  await googleButton(other).click();
  await expect(other.getByRole('heading')).toHaveText('Sign in to go on to Driveline');
  world.google.changeKeys();
  await signInAtProvider(other, second.email);
  await expect(other).toHaveURL(`${world.url}/`);
  expect(await sessionOf(other)).toBeDefined();
});

test('whoever cancels at the provider is back at Login, which says so', async ({ page }) => {
  await page.goto('/login');
  await googleButton(page).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expectRefusal(page, 'Google sign-in was canceled.');
});

test('an address that the provider has not verified does not open an account with a password', async ({
  page,
  guest,
  world,
}) => {
  const owner = somebody('The Owner');
  await guest('customer', owner);
  known(world.google, { email: owner.email, verified: false });
  await page.goto('/login');
  await googleButton(page).click();
  await signInAtProvider(page, owner.email);
  await expectRefusal(
    page,
    "This Google email isn't verified, so we can't sign you in with it yet. Open the link we emailed to that address, in this browser.",
  );
});

test('an unconfirmed account becomes that of whoever the provider speaks for, and its password is gone', async ({
  page,
  guest,
  world,
}) => {
  const owner = somebody('The Owner');
  const { client } = await guest('customer', owner);
  known(world.google, { email: owner.email, name: 'Another Name' });
  await page.goto('/login');
  await googleButton(page).click();
  await signInAtProvider(page, owner.email);
  await expect(page.getByText('The old password no longer works.')).toBeVisible();
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(page).toHaveURL(`${world.url}/`);
  expect(await (await page.request.get('/auth/me')).json()).toMatchObject({
    displayName: 'Another Name',
  });
  expect((await client.api.get('/auth/me')).status()).toBe(401);
  const again = (await guest('visitor')).page.context().request;
  expect((await again.post('/auth/login', { data: owner })).status()).toBe(401);
});

test('where Google is not set up there is no button, and nowhere to go', async ({
  anotherPage,
  world,
}) => {
  const shop = await world.openAnother({
    GOOGLE_CLIENT_ID: '',
    GOOGLE_CLIENT_SECRET: '',
    GOOGLE_ISSUER: '',
  });
  const page = await anotherPage();
  for (const path of ['/login', '/signup']) {
    const config = page.waitForResponse('**/config');
    await page.goto(`${shop.url}${path}`);
    expect(await (await config).json()).toMatchObject({ google: false });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(googleButton(page)).toHaveCount(0);
  }
  expect((await page.request.get(`${shop.url}/auth/google`)).status()).toBe(404);
  await shop.stop();
});
