import { spawn } from 'node:child_process';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Stripe from 'stripe';

const program =
  process.env.FAKE_STRIPE ??
  fileURLToPath(new URL('../../../target/debug/examples/fake_stripe', import.meta.url));

export const keys = { secret: 'sk_test_driveline', publishable: 'pk_test_driveline' };

/** What a call says about its fate at the desk; the words are those of `Trouble` in the testkit. */
interface Faults {
  next?: string[];
  calls?: string;
  /** What goes wrong by itself from now on, how often from 0 to 1; whatever is left out does not. */
  rates?: Record<string, number>;
}

export interface FakeStripe {
  /** Its address, without a slash at the end. */
  base: string;
  /** Stripe's own library, speaking to it. */
  client(key: string, options?: { maxNetworkRetries?: number; timeout?: number }): Stripe;
  /** Asks the desk behind the counter. */
  desk<Answer = unknown>(path: string, body?: unknown): Promise<Answer>;
  /** Orders troubles for the next calls. */
  order(faults: Faults): Promise<unknown>;
  stop(): void;
}

/** Starts the fake Stripe on a free port; its one line of output says where, and from which seed. */
export async function startFakeStripe(seed = 1): Promise<FakeStripe> {
  const child = spawn(program, ['--seed', String(seed)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const line = await new Promise<string>((done, fail) => {
    child.once('error', fail);
    child.once('exit', (code) => fail(new Error(`the fake Stripe ended with ${code}`)));
    createInterface(child.stdout).once('line', done);
  });
  const base = /http:\S+(?=,)/.exec(line)?.[0];
  if (!base) throw new Error(`not a ready line: ${line}`);
  const { hostname, port } = new URL(base);
  const desk: FakeStripe['desk'] = async (path, body) => {
    const answer = await fetch(`${base}/_fake/${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const content = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(content)}`);
    return content;
  };
  return {
    base,
    client: (key, options) =>
      new Stripe(key, {
        host: hostname,
        port,
        protocol: 'http',
        maxNetworkRetries: 0,
        telemetry: false,
        ...options,
      }),
    desk,
    order: (faults) => desk('faults', faults),
    stop: () => child.kill(),
  };
}

export interface Delivery {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface Endpoint {
  url: string;
  /** The next delivery that has arrived or will. */
  next(): Promise<Delivery>;
  /** What is answered from now on. */
  answerWith(status: number): void;
  stop(): void;
}

/** Listens for webhooks on a free port. */
export async function startEndpoint(): Promise<Endpoint> {
  const arrived: Delivery[] = [];
  const waiting: ((delivery: Delivery) => void)[] = [];
  let status = 200;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const delivery = { headers: request.headers, body: Buffer.concat(chunks).toString() };
      const waiter = waiting.shift();
      if (waiter) waiter(delivery);
      else arrived.push(delivery);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks/stripe`,
    next: () => {
      const delivery = arrived.shift();
      return delivery ? Promise.resolve(delivery) : new Promise((done) => waiting.push(done));
    },
    answerWith: (next) => {
      status = next;
    },
    stop: () => server.close(),
  };
}

/** A webhook's body and `Stripe-Signature`, as Stripe's own library signs them. */
export function signedWebhook(event: object, secret: string, timestamp: number): Delivery {
  const body = JSON.stringify(event);
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp });
  return { headers: { 'stripe-signature': signature }, body };
}
