/*
 * The payment provider hangs while twenty buyers wait for it; what do the routes notice that do not need it? They are looked
 * at in health and beside it by turns, so that a shop that grows slower by itself is not blamed on the neighbour.
 *
 * DRILL_SECONDS says how long each look lasts (20), DRILL_ROUNDS how many there are of each (1). With DRILL_HELD=1 the slowest of
 * a hundred may be a fifth slower beside it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import {
  adminApiOf,
  bystanders,
  failures,
  figures,
  newCustomer,
  print,
  ratio,
  type Samples,
} from '../fixtures/serve/bystanders';
import { openPayment, openWorld } from '../fixtures/serve/world';

const rounds = Number(process.env.DRILL_ROUNDS ?? '1');
const isHeld = process.env.DRILL_HELD === '1';
const MOST = 1.2;

/** The planted fault: a route that waits for the provider. */
const WAITING = 'POST /create-payment-intent';

test('a payment provider that hangs', async () => {
  const world = await openWorld();
  try {
    const adminApi = await adminApiOf(world);
    const product = await adminApi.addProduct({ availableQty: 900_000 });
    const payer = await newCustomer(world);
    const watch = await bystanders(world, adminApi, 100, {
      [WAITING]: async () => {
        await openPayment(payer, await payer.order(product)).catch(() => undefined);
        return true;
      },
    });
    const customers = await Promise.all(Array.from({ length: 20 }, () => newCustomer(world)));
    const orders = await Promise.all(customers.map((customer) => customer.order(product)));
    /** Looks while everybody tries to pay, as often in health as beside the sick provider: once in twelve seconds. */
    const look = async (rates: Record<string, number>) => {
      await world.stripe.order({ rates });
      let going = true;
      const buying = customers.map(async (customer, nth) => {
        await pause(600 * nth);
        while (going) {
          const next = performance.now() + 12_000;
          await customer.call('POST', '/create-payment-intent', { orderId: orders[nth] });
          while (going && performance.now() < next) await pause(100);
        }
      });
      const seen = await watch();
      going = false;
      await world.stripe.order({ rates: {} });
      await Promise.all(buying);
      return seen;
    };
    // The first look is slower or faster than any after it.
    await look({});
    const calm: Record<string, Samples>[] = [];
    const sick: Record<string, Samples>[] = [];
    for (let round = 0; round < rounds; round += 1) {
      calm.push(await look({}));
      sick.push(await look({ hang_before: 1 }));
    }
    const [before, beside] = [figures(...calm), figures(...sick)];
    print('A payment provider that hangs, twenty buyers waiting for it', before, beside);
    const slower = Object.keys(before).filter((name) => {
      const [one, other] = [before[name], beside[name]];
      return one && other && ratio(one, other) >= MOST;
    });
    expect(slower).toContain(WAITING);
    expect(failures(beside)).toBe(0);
    if (isHeld) expect(slower).toEqual([WAITING]);
  } finally {
    await world.stop();
  }
});
