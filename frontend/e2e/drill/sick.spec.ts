/*
 * One webhook subscriber, row or product is sick; what do the others notice? Each drill measures the others for a
 * while in health, then as long again beside the sick one, in one run, and prints both and their ratio.
 *
 * DRILL_SECONDS says how long each of the two lasts (20). Only what is counted fails a drill; times are for the reader.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import type { ApiClient } from '../fixtures/api-client';
import { startMailServer } from '../fixtures/mail-server';
import {
  adminApiOf,
  bystanders,
  type Figures,
  failures,
  figures,
  newClient,
  newCustomer,
  print,
  seconds,
  summary,
} from '../fixtures/serve/bystanders';
import { openWorld, sql, type World } from '../fixtures/serve/world';
import { somebody } from '../fixtures/shop';

/** A session of Postgres' own client, whose transaction stays open until it is ended. */
function psql(world: World, statement: string): ChildProcess {
  const child = spawn('psql', ['-X', '-q', world.databaseUrl], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin?.write(`${statement}\n`);
  return child;
}

test('a product whose row is locked', async () => {
  const world = await openWorld();
  try {
    const adminApi = await adminApiOf(world);
    const watch = await bystanders(world, adminApi);
    const customers = await Promise.all(Array.from({ length: 64 }, () => newCustomer(world)));
    const product = await adminApi.addProduct({ availableQty: 900_000 });
    /** Everybody orders one of it every five seconds, which is what an order of a locked one takes. */
    const buying = (answers: Record<number, number>) => {
      let going = true;
      const queue = customers.map(async (customer) => {
        await pause(Math.random() * 5_000);
        while (going) {
          const begun = performance.now();
          const { status } = await customer.call('POST', '/orders', {
            name: 'Robin Vale',
            email: customer.email,
            phone: '555 0100',
            address: '1 Workshop Lane, Detroit',
            quantity: 50,
            productId: product,
          });
          answers[status] = (answers[status] ?? 0) + 1;
          await pause(Math.max(200, begun + 5_000 - performance.now()));
        }
      });
      return () => {
        going = false;
        return Promise.all(queue);
      };
    };
    const endCalm = buying({});
    await watch();
    const calm = await watch();
    await endCalm();
    const holder = psql(world, `BEGIN; SELECT 1 FROM products WHERE id = '${product}' FOR UPDATE;`);
    await pause(500);
    const answers: Record<number, number> = {};
    const end = buying(answers);
    const sick = await watch();
    const ended = end();
    holder.stdin?.end('ROLLBACK;\n');
    await once(holder, 'exit');
    await ended;
    print('A product whose row is locked, 64 buyers ordering it', figures(calm), figures(sick));
    const endAfter = buying({});
    print('The same once it is free again', figures(calm), figures(await watch()));
    await endAfter();
    process.stdout.write(`its own buyers were answered: ${JSON.stringify(answers)}\n`);
    expect(failures(figures(sick))).toBe(0);
  } finally {
    await world.stop();
  }
});

/** Listens for calls; answers each at once, or none ever. */
async function startSubscriber(answers: boolean) {
  const arrived = new Map<string, number>();
  const server = createServer((call, response) => {
    const chunks: Buffer[] = [];
    call.on('data', (chunk: Buffer) => chunks.push(chunk));
    call.on('end', () => {
      const body = JSON.parse(Buffer.concat(chunks).toString());
      const order = body.data?.order?._id ?? body.data?._id ?? '';
      if (!arrived.has(order)) arrived.set(order, performance.now());
      if (answers) response.writeHead(204).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    arrived,
    stop: () => server.close() && server.closeAllConnections(),
  };
}

/** Orders at a steady pace for the drill's time; answers when each was placed. */
async function placeOrders(customer: ApiClient, product: string): Promise<Map<string, number>> {
  const placed = new Map<string, number>();
  const end = Date.now() + seconds * 1000;
  while (Date.now() < end) {
    placed.set(await customer.order(product), performance.now());
    await pause(100);
  }
  return placed;
}

async function latencies(
  placed: Map<string, number>,
  arrived: Map<string, number>,
): Promise<Figures> {
  await pause(15_000);
  const took = [...placed].flatMap(([order, at]) => {
    const then = arrived.get(order);
    return then === undefined ? [] : [then - at];
  });
  return summary(took, placed.size - took.length);
}

test('a webhook subscriber that hangs', async () => {
  const world = await openWorld({ OUTGOING_WEBHOOKS_ALLOW_PRIVATE: 'true' });
  const healthy = await startSubscriber(true);
  const hanging = await startSubscriber(false);
  try {
    const adminApi = await adminApiOf(world);
    const customer = await newCustomer(world);
    sql(world, `UPDATE accounts SET email_verified_at = now() WHERE email = '${customer.email}'`);
    const product = await adminApi.addProduct({ availableQty: 900_000 });
    await customer.order(product);
    const events = ['order.ordered'];
    await adminApi.done('POST', '/webhook-endpoints', { url: healthy.url, events });
    const calm = await latencies(await placeOrders(customer, product), healthy.arrived);
    await adminApi.done('POST', '/webhook-endpoints', { url: hanging.url, events });
    const sick = await latencies(await placeOrders(customer, product), healthy.arrived);
    print(
      'A webhook subscriber that never answers',
      { 'order to call of the other': calm },
      { 'order to call of the other': sick },
    );
    expect(sick.failed).toBe(0);
  } finally {
    healthy.stop();
    hanging.stop();
    await world.stop();
  }
});

test('a row that cannot be read', async () => {
  const mail = await startMailServer();
  const world = await openWorld({
    SMTP_URL: mail.url,
    MAIL_FROM: 'Driveline <orders@shop.example.com>',
  });
  try {
    const adminApi = await adminApiOf(world);
    const customer = await newCustomer(world);
    const product = await adminApi.addProduct({ availableQty: 900_000 });
    const round = async () => {
      const requested = new Map<string, number>();
      const end = Date.now() + seconds * 1000;
      while (Date.now() < end) {
        const account = await newClient(world);
        const { email } = (await account.signUp(somebody())).account ?? somebody();
        requested.set(email, performance.now());
        await account.api.dispose();
        await pause(250);
      }
      await pause(15_000);
      const now = [...requested].map(([email]) => mail.of(email).length);
      return { requested, missing: now.filter((count) => count === 0).length };
    };
    const arrivals = new Map<string, number>();
    const watching = setInterval(() => {
      for (const { to } of mail.taken) {
        for (const email of to) if (!arrivals.has(email)) arrivals.set(email, performance.now());
      }
    }, 10);
    const figuresOf = ({ requested, missing }: Awaited<ReturnType<typeof round>>) =>
      summary(
        [...requested].flatMap(([email, at]) => {
          const then = arrivals.get(email);
          return then === undefined ? [] : [then - at];
        }),
        missing,
      );
    const calm = figuresOf(await round());
    // Addresses that the table takes and the rules of the shop refuse, as a hand-made row or an import leaves them.
    sql(
      world,
      `INSERT INTO outbox (channel, topic, email, created_at, due_at)
       SELECT 'mail', 'account.verify', 'a b' || n || '@x.y', now(), now() - interval '1 hour' FROM generate_series(1, 50) n`,
    );
    const order = await customer.order(product);
    expect(order).not.toBe('');
    const sick = figuresOf(await round());
    clearInterval(watching);
    print(
      'Fifty rows of the outbox that cannot be read',
      { 'sign-up to e-mail': calm },
      { 'sign-up to e-mail': sick },
    );
    expect(sick.failed).toBe(0);
  } finally {
    mail.stop();
    await world.stop();
  }
});
