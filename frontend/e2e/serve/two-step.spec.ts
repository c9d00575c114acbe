import { createHmac } from 'node:crypto';
import type { Page } from '@playwright/test';
import { grantAdmin, type OpenShop, sql, test } from '../fixtures/serve/world';
import { type Account, expect, fillLogin, somebody } from '../fixtures/shop';

/** The code that an authenticator app shows, at a moment in seconds since 1970 (RFC 6238). */
function codeAt(secret: string, second: number): string {
  const bits = [...secret]
    .map((sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'))
    .join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(second / 30)));
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  const tag = createHmac('sha1', key).update(counter).digest();
  const number = tag.readUInt32BE((tag.at(-1) ?? 0) & 0xf) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, '0');
}

const now = () => Math.floor(Date.now() / 1000);

/** An admin of a shop that requires a second factor, who has none yet. */
async function newAdmin(shop: OpenShop, databaseUrl: string): Promise<Account> {
  const account = somebody('Ada Office');
  const answer = await fetch(`${shop.url}/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(account),
  });
  expect(answer.status).toBe(201);
  grantAdmin(databaseUrl, account.email);
  return account;
}

async function firstStep(page: Page, shop: OpenShop, account: Account): Promise<void> {
  await page.goto(`${shop.url}/login`);
  await fillLogin(page, account);
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('One more step');
}

/** Reads the recovery codes, and goes on. */
async function takeCodes(page: Page): Promise<string[]> {
  const codes = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(codes).toHaveCount(10);
  const texts = await codes.allInnerTexts();
  await page.getByRole('button', { name: "I've saved them" }).click();
  return texts;
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign Out' }).first().click();
  await expect(page.getByRole('link', { name: 'Login' }).first()).toBeVisible();
}

test('an admin adds an app and is asked for it at the next log-in and before a role', async ({
  page,
  world,
  consoleErrors,
}) => {
  consoleErrors.allow(403, /\/user\//);
  consoleErrors.allow(422, /\/auth\/second-factor\//);
  const shop = await world.openAnother({ ADMIN_SECOND_FACTOR: 'required' });
  const boss = await newAdmin(shop, world.databaseUrl);
  const colleague = await newAdmin(shop, world.databaseUrl);

  await firstStep(page, shop, boss);
  // Nothing of an admin's is open before.
  await page.goto(`${shop.url}/dashboard/users`);
  await expect(page).toHaveURL(`${shop.url}/login`);
  await page.getByRole('button', { name: 'Set up an app' }).click();
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  const secret = String(await page.locator('code').textContent()).replace(/\s/g, '');
  await page.getByLabel('Code from the app').fill('000000');
  await page.getByRole('button', { name: 'Confirm code' }).click();
  await expect(page.getByText("That code isn't right.")).toBeVisible();
  await page.getByLabel('Code from the app').fill(codeAt(secret, now()));
  await page.getByRole('button', { name: 'Confirm code' }).click();
  const codes = await takeCodes(page);
  await expect(page).toHaveURL(`${shop.url}/dashboard/users`);
  await expect(page.getByText('@example.com').first()).toBeVisible();

  await signOut(page);
  await firstStep(page, shop, boss);
  await page.getByLabel('Code', { exact: true }).fill(codeAt(secret, now() + 30));
  await page.getByRole('button', { name: 'Confirm' }).click();
  await expect(page).toHaveURL(`${shop.url}/dashboard/overview`);

  // Eleven minutes later.
  sql(
    world,
    `UPDATE sessions SET second_factor_at = second_factor_at - interval '11 minutes'
     WHERE account_id = (SELECT id FROM accounts WHERE email = '${boss.email}')`,
  );
  await page.goto(`${shop.url}/dashboard/users?q=${encodeURIComponent(colleague.email)}`);
  await page.getByRole('button', { name: /Remove Admin/ }).click();
  await page.getByRole('button', { name: 'Yes' }).click();
  const proof = page.getByRole('dialog', { name: "Confirm it's you" });
  await expect(proof).toBeVisible();
  await proof.getByLabel('Code', { exact: true }).fill(codes[0] ?? '');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(proof).toBeHidden();
  await expect(page.getByRole('button', { name: /Make Admin/ })).toBeVisible();
  await shop.stop();
});

test('a passkey finishes a log-in', async ({ page, world, consoleErrors }) => {
  consoleErrors.allow(403, /\/user\//);
  const shop = await world.openAnother({ ADMIN_SECOND_FACTOR: 'required' }, 'localhost');
  const boss = await newAdmin(shop, world.databaseUrl);
  const browser = await page.context().newCDPSession(page);
  await browser.send('WebAuthn.enable');
  await browser.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });

  await firstStep(page, shop, boss);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name').fill('Office laptop');
  await page.getByRole('button', { name: 'Create passkey' }).click();
  await takeCodes(page);
  await expect(page).toHaveURL(`${shop.url}/dashboard/overview`);

  await signOut(page);
  await firstStep(page, shop, boss);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(page).toHaveURL(`${shop.url}/dashboard/overview`);
  await page.goto(`${shop.url}/dashboard/profile`);
  const card = page.getByRole('region', { name: 'Two-step verification' });
  await expect(card.getByText('Office laptop').first()).toBeVisible();
  await expect(card.getByText('10 recovery codes left')).toBeVisible();
  // The last one of an admin stays.
  await card.getByRole('button', { name: /Remove/ }).click();
  consoleErrors.allow(409, /\/auth\/second-factor\//);
  await page.getByRole('button', { name: 'Yes' }).click();
  await expect(page.getByText('An admin needs two-step verification.')).toBeVisible();
  await shop.stop();
});
