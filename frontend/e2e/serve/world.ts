/*
 * The shop as it runs in production, `driveline serve`, on this machine alone: with a Postgres that lives no longer than
 * the tests, the testkit's Stripe where Stripe stands, and an OpenID provider where Google stands.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type Stripe from 'stripe';
import { Caller } from '../caller';
import { freePort } from '../free-port';
import { admin, test as base, expect, somebody } from '../shop';
import { type FakeStripe, keys, startFakeStripe } from '../stripe-fake';
import { until } from '../until';
import { webhookSecrets } from './messages';
import { client, type OpenIdProvider, startOpenIdProvider } from './openid-provider';
import { standInForStripe } from './stripe-js';

export { expect };

const program =
  process.env.DRIVELINE ??
  fileURLToPath(new URL('../../../target/debug/driveline', import.meta.url));

/** Longer than a shop may take to open on a busy machine, in milliseconds. */
const opensWithin = 30_000;

interface Kept {
  lines: string[];
  stop(): Promise<void>;
}

/** Starts a program that ends when its standard input does, so that nothing stays behind however this process ends. */
function keep(command: string, args: string[], env: Record<string, string> = {}): Kept {
  const child: ChildProcess = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  if (child.stdout) createInterface(child.stdout).on('line', (line) => lines.push(line));
  return {
    lines,
    stop: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.stdin?.end();
      await ended;
    },
  };
}

/** A shop that is open. */
export interface OpenShop {
  url: string;
  /** Where its metrics are: a port of their own. */
  metrics: string;
  /** What it has written to its log, a JSON object a line. */
  log: string[];
  stop(): Promise<void>;
}

export interface World extends OpenShop {
  /** Where its Postgres is, password included. */
  databaseUrl: string;
  stripe: FakeStripe;
  /** Stripe's own library with the secret key, and as a browser has it. */
  backend: Stripe;
  browser: Stripe;
  google: OpenIdProvider;
  /** Opens another copy of the shop on the same data, with other settings; an empty one counts as none. */
  openAnother(settings: Record<string, string>): Promise<OpenShop>;
}

/** Opens a world of one's own; an empty setting of the shop counts as none. */
export async function openWorld(overrides: Record<string, string> = {}): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'driveline-serve-'));
  const postgres = keep(program, ['postgres', '--', 'sh', '-c', 'echo "$DATABASE_URL"; exec cat']);
  const DATABASE_URL = await until('a Postgres', () => postgres.lines[0], opensWithin);
  const stripe = await startFakeStripe();
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const google = await startOpenIdProvider(`${url}/auth/google/callback`);

  const open = async (at: string, settings: Record<string, string>): Promise<OpenShop> => {
    const script =
      '"$0" serve </dev/null & shop=$!; cat >/dev/null; kill "$shop" 2>/dev/null; wait "$shop"';
    const metrics = `127.0.0.1:${await freePort()}`;
    const shop = keep('sh', ['-c', script, program], {
      DATABASE_URL,
      METRICS_ADDR: metrics,
      DATABASE_POOL: '8',
      HOST: '127.0.0.1',
      PORT: new URL(at).port,
      PUBLIC_URL: at,
      TOKEN_SECRET: 'thirty-two bytes that only tests know',
      STRIPE_SECRET_KEY: keys.secret,
      STRIPE_PUBLISHABLE_KEY: keys.publishable,
      STRIPE_WEBHOOK_SECRET: webhookSecrets[0],
      STRIPE_WEBHOOK_SECRET_PREVIOUS: webhookSecrets[1],
      STRIPE_API_BASE: stripe.base,
      GOOGLE_CLIENT_ID: client.id,
      GOOGLE_CLIENT_SECRET: client.secret,
      GOOGLE_ISSUER: google.issuer,
      IMGBB_API_KEY: '',
      IMGBB_API_BASE: '',
      DATA_DIR: folder,
      // Without a mail server letters wait in the outbox, where a test can count them.
      SMTP_URL: '',
      MAIL_FROM: '',
      CORS_ORIGINS: '',
      TRUSTED_PROXIES: '',
      RATE_LIMIT_PER_SECOND: '100000',
      RATE_LIMIT_BURST: '100000',
      EMAIL_LIMIT_PER_MINUTE: '100000',
      // Buyers here are new, and have more to pay than new people may.
      UNPAID_ORDERS_NEW: '1000',
      RUST_LOG: 'warn',
      // No balancer has to notice that it ends.
      DRAIN_SECONDS: '0',
      ...overrides,
      ...settings,
    });
    const ready = async () => {
      const answer = await fetch(`${at}/health/ready`).catch(() => undefined);
      return answer?.ok || undefined;
    };
    await until('a shop', ready, opensWithin).catch((error) => {
      throw new Error(`${error.message}: ${shop.lines.join('\n')}`);
    });
    return { url: at, metrics: `http://${metrics}/metrics`, log: shop.lines, stop: shop.stop };
  };

  const shop = await open(url, {});
  await stripe.desk('webhooks', { url: `${url}/webhooks/stripe`, secrets: webhookSecrets });
  await fetch(`${url}/auth/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...admin, name: 'The Office' }),
  });
  execFileSync(program, ['admin', 'grant', admin.email, '--unverified'], {
    env: { ...process.env, DATABASE_URL, RUST_LOG: 'off' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return {
    ...shop,
    databaseUrl: DATABASE_URL,
    stripe,
    backend: stripe.client(keys.secret),
    browser: stripe.client(keys.publishable),
    google,
    openAnother: async (settings) => open(`http://127.0.0.1:${await freePort()}`, settings),
    stop: async () => {
      await shop.stop();
      await postgres.stop();
      stripe.stop();
      google.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Fixtures {
  /** A new customer who is signed in, and who has `page` for a browser. */
  buyer: Caller;
}

interface WorkerFixtures {
  world: World;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  world: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from the pattern.
    async ({}, use) => {
      const world = await openWorld();
      await use(world);
      await world.stop();
    },
    { scope: 'worker', timeout: 2 * opensWithin },
  ],
  baseURL: ({ world }, use) => use(world.url),
  context: async ({ context, world }, use) => {
    await standInForStripe(context, world.stripe.base);
    await use(context);
  },
  buyer: async ({ page }, use) => use(await new Caller(page.context().request).signUp(somebody())),
});

/** What has happened to an order, in order. */
export async function happenings(reader: Caller, order: string): Promise<string[]> {
  const events: { what: string }[] = await reader.done('GET', `/orders/${order}/events`);
  return events.map((event) => event.what);
}

/** Opens the payment of an order as the payment page does; answers what a browser pays with. */
export async function openPayment(buyer: Caller, order: string) {
  const { price } = await buyer.done('GET', `/orders/${order}`);
  const { clientSecret } = await buyer.done('POST', '/create-payment-intent', {
    price,
    orderId: order,
  });
  return { id: String(clientSecret).split('_secret')[0] ?? '', clientSecret: String(clientSecret) };
}

/** Confirms a payment as a browser does, with one of Stripe's ready-made cards. */
export async function confirm(
  world: World,
  payment: { id: string; clientSecret: string },
  card = 'pm_card_visa',
): Promise<void> {
  await world.browser.rawRequest('POST', `/v1/payment_intents/${payment.id}/confirm`, {
    client_secret: payment.clientSecret,
    payment_method: card,
  });
}

/** The browser's word that an order is paid. */
export function hint(order: string, transactionId: string) {
  return { payment: { product: order, transactionId, status: 'paid' } };
}

/** How many times the money of a payment was taken, however many there are on the account. */
export async function chargesOf(world: World, payment: string): Promise<number> {
  let found = 0;
  for await (const event of world.backend.events.list({ type: 'charge.succeeded', limit: 100 })) {
    const { object } = event.data;
    if ('payment_intent' in object && object.payment_intent === payment) found += 1;
  }
  return found;
}
