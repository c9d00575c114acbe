// The release program, as in production, on a free port.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { start, stop } from './children.mjs';

export const program = new URL('../target/release/driveline', import.meta.url).pathname;

const freePort = () =>
  new Promise((found) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => found(port));
    });
  });

/** The settings that a shop in production has to have. Nobody is called: nothing is paid here, and e-mails wait. */
const SETTINGS = {
  HOST: '127.0.0.1',
  ADMIN_SECOND_FACTOR: 'optional',
  TOKEN_SECRET: 'a secret of the bench alone, of forty letters and more',
  STRIPE_SECRET_KEY: 'sk_test_bench',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_bench',
  STRIPE_WEBHOOK_SECRET: 'whsec_bench',
  // All load comes from one address.
  RATE_LIMIT_PER_SECOND: '1000000',
  RATE_LIMIT_BURST: '1000000',
  READ_LIMIT_PER_SECOND: '1000000',
  READ_LIMIT_BURST: '1000000',
  EMAIL_LIMIT_PER_MINUTE: '1000000',
  EMAIL_LIMIT_BURST: '1000000',
  RUST_LOG: 'warn',
};

export class Shop {
  static async start(databaseUrl, settings = {}) {
    const shop = new Shop();
    const [port, metrics] = [await freePort(), await freePort()];
    shop.folder = mkdtempSync(join(tmpdir(), 'driveline-bench-shop-'));
    shop.base = `http://127.0.0.1:${port}`;
    shop.metrics = `http://127.0.0.1:${metrics}/metrics`;
    const environment = {
      PATH: process.env.PATH,
      HOME: process.env.HOME ?? '/',
      ...SETTINGS,
      PORT: String(port),
      PUBLIC_URL: shop.base,
      DATABASE_URL: databaseUrl,
      DATA_DIR: shop.folder,
      METRICS_ADDR: `127.0.0.1:${metrics}`,
      ...settings,
    };
    const began = performance.now();
    shop.child = start(program, ['serve'], { env: environment, stdio: ['ignore', 'ignore', 'inherit'] });
    for (;;) {
      const ready = await fetch(`${shop.base}/health/ready`).catch(() => undefined);
      if (ready?.ok) break;
      if (shop.child.exitCode !== null) throw new Error('the shop ended while it was starting');
      if (performance.now() - began > 60_000) throw new Error('the shop did not get ready');
      await new Promise((done) => setTimeout(done, 2));
    }
    shop.startedIn = performance.now() - began;
    return shop;
  }

  /** Waits until it has this many products in memory. */
  async holds(products) {
    const begun = performance.now();
    for (;;) {
      const text = await fetch(this.metrics).then((answer) => answer.text());
      if (Number(/^catalog_snapshot_products (\d+)$/m.exec(text)?.[1]) === products) return;
      if (performance.now() - begun > 300_000) throw new Error('the catalogue is not in memory');
      await new Promise((done) => setTimeout(done, 50));
    }
  }

  /** Resident memory, in MiB. */
  resident() {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  }

  /** Its highest so far, in MiB. */
  residentAtMost() {
    const status = readFileSync(`/proc/${this.child.pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
  }

  /** Opens an account; answers what its calls carry. */
  async signUp(account) {
    const answer = await fetch(`${this.base}/auth/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(account),
    });
    if (!answer.ok) throw new Error(`sign up: ${answer.status} ${await answer.text()}`);
    const cookie = answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    return this.renew({ email: account.email, cookie });
  }

  /** What the calls of somebody who is signed in carry from now on, for a quarter of an hour. */
  async renew({ email, cookie }) {
    const path = `/user/${encodeURIComponent(email)}`;
    const { token } = await this.call('PUT', path, { body: { email }, headers: { cookie } });
    return { email, cookie, token };
  }

  async call(method, path, { token, body, headers = {} } = {}) {
    const answer = await fetch(`${this.base}${path}`, {
      method,
      headers: {
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  async stop() {
    await stop(this.child);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
