#!/usr/bin/env node
// Offers the shop twice what it can do, and looks what becomes of it.
//
//   node bench/overload.mjs [SECONDS]   600 if left out
//
// The mix: 80 % lists of the catalogue, 15 % products, 5 % orders with an idempotency key, from visitors who do not wait for one
// another. First the capacity C is looked for: the highest rate at which all is answered. Then half of C for a while, twice C for as
// long as asked, and half of C again.
//
// Load and shop must not take processors from each other: the shop and its database get the first one, the load the second.
import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { start, stopAll } from './children.mjs';
import { customers, database } from './fill.mjs';
import { Postgres } from './postgres.mjs';
import { Shop } from './shop.mjs';

const offerer = new URL('../target/release/driveline-bench-offered', import.meta.url).pathname;
const seconds = Number(process.argv[2] ?? 600);
const seed = Number(process.env.SEED ?? 1);

const whole = (number) => Math.round(number).toLocaleString('en-US');
const head = (line, headers) => [`${line} HTTP/1.1`, 'host: 127.0.0.1', ...headers, '', ''].join('\r\n');

/** What visitors ask for, as it goes over the wire. */
async function kinds(shop, buyers) {
  const found = await shop.call('GET', '/products?limit=1000&inStock=true');
  const ids = found.map(({ _id }) => _id);
  const lists = [];
  for (const sort of ['newest', 'price', '-price', 'name']) {
    for (const filter of ['', '&category=BRAKES', '&category=TIRES', '&inStock=true']) {
      for (const limit of [10, 20, 50]) lists.push(head(`GET /products?sort=${sort}&limit=${limit}${filter}`, ['accept-encoding: gzip']));
    }
  }
  const order = ({ token, email }, productId) => {
    const body = JSON.stringify({ productId, quantity: 50, name: 'Robin Vale', email, phone: '+1 555 0100', address: '1 Road' });
    const headers = [
      `authorization: Bearer ${token}`,
      'content-type: application/json',
      'idempotency-key: $KEY',
      `content-length: ${body.length}`,
    ];
    return head('POST /orders', headers) + body;
  };
  return [
    { name: 'lists', share: 0.8, requests: lists },
    { name: 'products', share: 0.15, requests: ids.map((id) => head(`GET /products/${id}`, ['accept-encoding: gzip'])) },
    { name: 'orders', share: 0.05, requests: Array.from({ length: 4000 }, (_, n) => order(buyers[n % buyers.length], ids[(n * 7919) % ids.length])) },
  ];
}

/** Offers phases one after the other; `seen` gets what came back of each. */
function offer(shop, offered, phases, seen) {
  const child = start('taskset', ['-c', '1', offerer, '--seed', String(seed), new URL(shop.base).host], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify({ kinds: offered, phases }));
  let text = '';
  child.stdout.on('data', (data) => {
    text += data;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
      seen(JSON.parse(text.slice(0, end)));
      text = text.slice(end + 1);
    }
  });
  return new Promise((done, fail) => {
    child.once('exit', (status) => (status === 0 ? done() : fail(new Error(`the load ended with ${status}`))));
  });
}

const sum = (values) => values.reduce((all, one) => all + one, 0);
const of = ({ kinds: all }) => Object.values(all);
const accepted = (phase) => sum(of(phase).map((kind) => kind.accepted));
const most = (phase, figure) => Math.max(...of(phase).map((kind) => kind[figure]));

/** What was not accepted, by what it was. */
function others(phase) {
  const by = {};
  for (const kind of of(phase)) {
    for (const [what, count] of Object.entries(kind.others)) by[what] = (by[what] ?? 0) + count;
  }
  return by;
}

async function once(shop, offered, phase) {
  let figures;
  await offer(shop, offered, [phase], (seen) => {
    figures = seen;
  });
  return figures;
}

/** The highest rate at which all is answered, and within a quarter of a second. */
async function capacity(shop, offered) {
  let found = 0;
  for (let rate = 2000; rate < 200_000; rate *= 1.25) {
    const figures = await once(shop, offered, { name: 'try', rate, seconds: 8 });
    const isWhole = Object.keys(others(figures)).length === 0 && figures.p99 <= 250;
    console.log(`${whole(rate)} a second: ${whole(accepted(figures) / 8)} answered, p99 ${Math.round(figures.p99)} ms`);
    if (!isWhole) break;
    found = rate;
  }
  if (found === 0) throw new Error('the shop cannot answer two thousand a second');
  return found;
}

/** Monitoring and news of payments, which are never refused: asked for all the time, by somebody else. */
function ask(shop) {
  const answers = { live: [], ready: [], news: [] };
  let over = false;
  const calls = {
    live: () => fetch(`${shop.base}/health/live`),
    ready: () => fetch(`${shop.base}/health/ready`),
    news: () => {
      const body = JSON.stringify({
        id: `evt_${crypto.randomUUID()}`, object: 'event', api_version: '2025-09-30.clover', created: Math.floor(Date.now() / 1000),
        data: { object: { id: 'cus_1', object: 'customer' } }, livemode: false, pending_webhooks: 1, type: 'customer.created',
        request: { id: null, idempotency_key: null },
      });
      const at = Math.floor(Date.now() / 1000);
      const signature = createHmac('sha256', 'whsec_bench').update(`${at}.${body}`).digest('hex');
      const headers = { 'content-type': 'application/json', 'stripe-signature': `t=${at},v1=${signature}` };
      return fetch(`${shop.base}/webhooks/stripe`, { method: 'POST', headers, body });
    },
  };
  const asking = Object.entries(calls).map(async ([name, call]) => {
    while (!over) {
      const status = await call().then(async (answer) => {
        await answer.arrayBuffer();
        return answer.status;
      }, () => 0);
      answers[name].push(status);
      await new Promise((done) => setTimeout(done, 250));
    }
  });
  return async () => {
    over = true;
    await Promise.all(asking);
    return answers;
  };
}

/** Half of the capacity, twice as much, and half of it again; what came back, and what was seen beside it. */
async function overload(shop, offered, rate, seconds) {
  const phases = [
    { name: 'calm', rate: rate / 2, seconds: 30 },
    { name: 'overload', rate: rate * 2, seconds },
    { name: 'after', rate: rate / 2, seconds: 40 },
  ];
  const seen = {};
  const resident = [];
  const stop = ask(shop);
  const sampling = setInterval(() => resident.push(shop.resident()), 1000);
  await offer(shop, offered, phases, (phase) => {
    seen[phase.phase] = phase;
    seen[phase.phase].resident = resident.splice(0);
    console.log(
      `${phase.phase}: ${whole(phase.rate)} a second offered, ${whole(accepted(phase))} accepted, p50 ${phase.p50} ms, p99 ${phase.p99} ms;`,
      `others ${JSON.stringify(others(phase))}, refused within p50 ${most(phase, 'refusedP50')} ms, p99 ${most(phase, 'refusedP99')} ms;`,
      `resident ${Math.round(phase.resident.at(0))} to ${Math.round(Math.max(...phase.resident))} MiB`,
    );
    for (const [name, kind] of Object.entries(phase.kinds)) console.log(`  ${name}: ${JSON.stringify(kind)}`);
  });
  clearInterval(sampling);
  const metrics = await fetch(shop.metrics).then((answer) => answer.text());
  console.log(metrics.split('\n').filter((line) => /^(http_shed_total|database_refused_total)/.test(line)).join(', '));
  return { ...seen, answers: await stop(), capacity: rate, seconds };
}

/** What does not hold, in words. */
function broken({ calm, overload: during, after, answers, capacity: rate, seconds: lasted }) {
  const wrong = [];
  const hold = (holds, words) => {
    if (!holds) wrong.push(words);
  };
  const goodput = accepted(during) / lasted;
  hold(goodput >= 0.8 * rate, `goodput is ${whole(goodput)} a second, 0.8 C are ${whole(0.8 * rate)}`);
  hold(during.p99 <= 2000, `p99 of what is accepted is ${during.p99} ms`);
  const refused = others(during);
  hold((refused['503'] ?? 0) > 0, 'nothing was refused');
  hold(Object.keys(refused).every((what) => what === '503'), `not only 503 with Retry-After: ${JSON.stringify(refused)}`);
  hold(most(during, 'refusedP99') <= 100, `p99 of a refusal is ${most(during, 'refusedP99')} ms`);
  // Once everybody has come: what is kept for connections and answers grows with the first of them.
  const settled = during.resident.slice(Math.min(30, during.resident.length >> 1));
  const grows = settled.at(-1) / settled.at(0) - 1;
  hold(grows < 0.1, `resident memory grows by ${Math.round(grows * 100)} %`);
  const usual = calm.bySecond.slice(5).sort((one, other) => one - other);
  const baseline = usual[Math.floor(usual.length * 0.9)];
  const back = after.bySecond.findIndex((_, second) => after.bySecond.slice(second, second + 3).every((p99) => p99 <= baseline * 1.2));
  hold(back >= 0 && back <= 30, `p99 is not back at ${baseline} ms: ${after.bySecond.join(' ')}`);
  for (const [what, statuses] of Object.entries(answers)) {
    const others_ = statuses.filter((status) => status !== 200);
    hold(statuses.length > 0 && others_.length === 0, `${what} was answered with ${others_.join(' ')} of ${statuses.length}`);
  }
  console.log(
    `goodput ${whole(goodput)}/s (${(goodput / rate).toFixed(2)} C), memory ${(grows * 100).toFixed(1)} %, p99 back at ${Math.round(baseline)} ms after ${back} s,`,
    `${answers.live.length + answers.ready.length} checks of health and ${answers.news.length} events answered`,
  );
  return wrong;
}

const postgres = await Postgres.start();
let status = 0;
try {
  execFileSync('taskset', ['-pc', '0', String(process.pid)]);
  execFileSync('taskset', ['-apc', '0', String(postgres.child.pid)]);
  await database(postgres, 'overload', { products: 1000, accounts: 500, orders: 1000 });
  const shop = await Shop.start(postgres.url('overload'));
  await shop.holds(1000);
  const buyers = await customers(postgres, 'overload', shop, 64);
  const offered = await kinds(shop, buyers);
  const rate = await capacity(shop, offered);
  console.log(`C = ${whole(rate)} a second (seed ${seed})`);
  const orders = () => Number(postgres.sql('overload', 'SELECT count(*) FROM orders'));
  const before = orders();
  const seen = await overload(shop, offered, rate, seconds);
  const wrong = broken(seen);
  const phases = [seen.calm, seen.overload, seen.after];
  const [acknowledged, placed] = [sum(phases.map(({ kinds: all }) => all.orders.accepted)), orders() - before];
  const unanswered = sum(phases.map((phase) => sum(Object.entries(phase.kinds.orders.others).map(([what, count]) => (what === '503' ? 0 : count)))));
  console.log(`${whole(acknowledged)} orders acknowledged, ${whole(placed)} in the database`);
  if (placed < acknowledged || placed > acknowledged + unanswered) wrong.push(`${acknowledged} orders acknowledged and ${placed} placed`);
  const drift = postgres.sql(
    'overload',
    `SELECT count(*) FROM products WHERE available < 0 OR available <> (CASE WHEN name ~ '(20|40|60|80|00)$' THEN 0
      ELSE 1000000000 END) + coalesce((SELECT sum(delta) FROM stock_ledger WHERE product_id = products.id), 0)`,
  );
  if (drift !== '0') wrong.push(`the stock of ${drift} products is not what the ledger says`);
  await shop.stop();
  for (const words of wrong) console.log(`BROKEN: ${words}`);
  // A shop that refuses nobody has to be found out.
  const patient = await Shop.start(postgres.url('overload'), { QUEUE_DELAY_MS: '0' });
  await patient.holds(1000);
  const found = broken(await overload(patient, await kinds(patient, await customers(postgres, 'overload', patient, 64)), rate, 30));
  const missed = !found.some((words) => words.startsWith('p99 of what is accepted'));
  for (const words of found) console.log(`  planted: ${words}`);
  console.log(missed ? 'BROKEN: a shop that refuses nobody answers in time' : 'planted: a shop that refuses nobody is found out');
  await patient.stop();
  if (wrong.length > 0 || missed) status = 1;
} finally {
  await stopAll();
  postgres.remove();
}
process.exit(status);
