/*
 * A mail server on loopback that takes letters, refuses them or falls silent, and a shop of one's own that sends there.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { until } from './until';

// Vitest runs in the client's folder.
const program = process.env.DRIVELINE ?? resolve('../target/debug/driveline');

export interface Taken {
  /** As the envelope has it. */
  from: string;
  to: string[];
  raw: string;
  letter: Email;
}

export interface MailServer {
  url: string;
  /** Every letter that was taken, in order. */
  taken: Taken[];
  /** The letters that somebody was sent. */
  of(email: string): Taken[];
  stop(): void;
}

/** What a server does with a letter; the rest it takes. */
export interface Moods {
  /** Refuses a reader with this code, or takes them. */
  reader?: (email: string) => number | undefined;
  /** Called once a letter is there, before it is said to be accepted; a promise that never comes leaves that unsaid. */
  accepting?: (taken: Taken) => Promise<void> | undefined;
  options?: SMTPServerOptions;
  /** The address of this machine that it is called by, if not 127.0.0.1. */
  host?: string;
}

function refusal(code: number): Error {
  return Object.assign(new Error('not now, or never'), { responseCode: code });
}

export async function startMailServer(moods: Moods = {}): Promise<MailServer> {
  const taken: Taken[] = [];
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    closeTimeout: 100,
    ...moods.options,
    onRcptTo({ address }, _session, done) {
      const code = moods.reader?.(address);
      done(code === undefined ? null : refusal(code));
    },
    onData(stream, { envelope }, done) {
      const parts: Buffer[] = [];
      stream.on('data', (part: Buffer) => parts.push(part));
      stream.on('end', async () => {
        const raw = Buffer.concat(parts);
        const one = {
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          raw: raw.toString('latin1'),
          letter: await PostalMime.parse(raw),
        };
        taken.push(one);
        await moods.accepting?.(one);
        done();
      });
    },
  });
  // A shop that is killed hangs up in the middle of a sentence.
  server.on('error', () => {});
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `smtp://${moods.host ?? '127.0.0.1'}:${address.port}`,
    taken,
    of: (email) => taken.filter(({ to }) => to.includes(email)),
    stop: () => server.close(),
  };
}

/** A demo shop with a folder of its own. */
export class Shop {
  base = '';
  /** What it has said on standard error. */
  log = '';
  #child: ChildProcess | undefined;
  readonly #settings: Record<string, string>;
  readonly #folder: string;

  private constructor(settings: Record<string, string>, folder: string) {
    this.#settings = settings;
    this.#folder = folder;
  }

  static readonly #opened: Shop[] = [];

  static {
    process.once('exit', () => {
      for (const shop of Shop.#opened) shop.kill();
    });
  }

  static async open(settings: Record<string, string>): Promise<Shop> {
    const shop = new Shop(settings, join(await mkdtemp(join(tmpdir(), 'driveline-mail-')), 'data'));
    Shop.#opened.push(shop);
    await shop.start();
    return shop;
  }

  /** Whatever a test that failed has left behind. */
  static async clearAll(): Promise<void> {
    await Promise.all(Shop.#opened.map((shop) => shop.clear()));
  }

  get folder(): string {
    return this.#folder;
  }

  async start(): Promise<void> {
    const child = spawn(program, ['demo', '--port', '0', '--data-dir', this.#folder], {
      env: { ...process.env, RUST_LOG: '', ...this.#settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    child.stderr.on('data', (words: Buffer) => {
      this.log += words.toString();
    });
    this.base = await new Promise<string>((done, fail) => {
      child.once('exit', (code) => fail(new Error(`the shop ended with ${code}: ${this.log}`)));
      createInterface(child.stdout).on('line', (line) => {
        const address = /is open at (http:\S+)/.exec(line)?.[1];
        if (address) done(address);
      });
    });
  }

  /** Ends it as a power cut would, at once. */
  kill(): void {
    this.#child?.kill('SIGKILL');
  }

  /** Ends it, and answers how long that took, in milliseconds. */
  async stop(): Promise<number> {
    const began = Date.now();
    const child = this.#child;
    if (child && child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    return Date.now() - began;
  }

  async clear(): Promise<void> {
    await this.stop();
    await rm(join(this.#folder, '..'), { recursive: true, force: true });
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const answer = await fetch(`${this.base}${path}`, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  /** Somebody who has signed in, or signed up if they are new. */
  async person(email: string, password?: string): Promise<Customer> {
    const known = password !== undefined;
    const person = { name: 'Nia Nine', email, password: password ?? 'Passw0rd!for-a-letter' };
    const signed = await this.call('POST', known ? '/auth/login' : '/auth/signup', person);
    const cookies = signed.headers.getSetCookie().map((line) => line.split(';')[0]);
    const cookie = cookies.join('; ');
    const token = await this.call('PUT', `/user/${encodeURIComponent(email)}`, undefined, {
      cookie,
    });
    return new Customer(this, email, ((await token.json()) as { token: string }).token, cookie);
  }

  admin(): Promise<Customer> {
    return this.person('admin@example.com', 'demo-password');
  }
}

export interface Contact {
  name: string;
  address: string;
}

/** Somebody's calls. */
export class Customer {
  readonly email: string;
  readonly #shop: Shop;
  readonly #token: string;
  readonly #cookie: string;

  constructor(shop: Shop, email: string, token: string, cookie: string) {
    this.#shop = shop;
    this.email = email;
    this.#token = token;
    this.#cookie = cookie;
  }

  /** Confirms their address with the link of the first e-mail, once somebody has found that. */
  async confirm(text: () => Promise<string[]> | string[]): Promise<this> {
    const token = await until('the link that confirms an address', async () =>
      (await text()).map((one) => /verify-email#token=(\S+)/.exec(one)?.[1]).find(Boolean),
    );
    const headers = { cookie: this.#cookie };
    await this.#shop.call('POST', '/auth/verification/confirm', { token }, headers);
    return this;
  }

  async done<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
    const headers = { authorization: `Bearer ${this.#token}` };
    const answer = await this.#shop.call(method, path, body, headers);
    return (await answer.json()) as Answer;
  }

  async addProduct(name: string): Promise<string> {
    const added = await this.done<{ insertedId: string }>('POST', '/products', {
      name,
      description: 'Cast for a letter.',
      category: 'BRAKES',
      price: 129.99,
      availableQty: 50_000,
      minOrder: 50,
      img: '/pictures/brake-disc-640.webp',
    });
    return added.insertedId;
  }

  async order(productId: string, contact: Partial<Contact> = {}): Promise<string> {
    const placed = await this.done<{ insertedId: string }>('POST', '/orders', {
      productId,
      email: this.email,
      quantity: 50,
      name: 'Nia Nine',
      phone: '555 0100',
      address: '1 Workshop Lane',
      ...contact,
    });
    return placed.insertedId;
  }

  async pay(orderId: string): Promise<void> {
    const { clientSecret } = await this.done<{ clientSecret: string }>(
      'POST',
      '/create-payment-intent',
      { orderId, price: 6499.5 },
    );
    const { id } = await this.done<{ id: string }>('POST', '/sandbox/payment-intents/confirm', {
      clientSecret,
      card: { number: '4242424242424242', expMonth: 12, expYear: 2040, cvc: '123' },
      billingDetails: { name: 'Nia Nine', email: this.email },
    });
    await this.done('PATCH', `/orders/${orderId}`, {
      payment: { product: orderId, transactionId: id, status: 'succeeded' },
    });
  }
}
