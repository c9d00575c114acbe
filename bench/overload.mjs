#!/usr/bin/env node
// Offers the shop twice what it can do, and looks what becomes of it.
//
//   node bench/overload.mjs [SECONDS]   600 if left out
//
// First the capacity C is looked for: the highest rate of visitors (visitors.mjs) at which all is answered. Then half of C for a while,
// twice C for as long as asked, and half of C again.
import { createHmac } from 'node:crypto';
import { stopAll } from './children.mjs';
import { customers, database } from './fill.mjs';
import { Postgres } from './postgres.mjs';
import { Shop } from './shop.mjs';
import { accepted, capacity, keepApart, kinds, most, offer, others, seed, sum, whole } from './visitors.mjs';

const seconds = Number(process.argv[2] ?? 600);

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
    const slow = phase.seconds.map((second, nth) => ({ nth, ...second })).filter(({ refusedP99 }) => refusedP99 > 100);
    if (slow.length > 0) {
      const words = slow.map(({ nth, accepted: answered, refusedP99, late }) => `${nth}: ${answered} accepted, ${refusedP99} ms, the load late by ${late}`);
      console.log(`  seconds with refusals after more than 100 ms, ${slow.length} of ${phase.seconds.length}: ${words.slice(0, 40).join('; ')}`);
    }
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
  const sinceCalm = settled.at(-1) / calm.resident.at(-1) - 1;
  hold(grows < 0.1, `resident memory grows by ${Math.round(grows * 100)} %`);
  const usual = calm.seconds.slice(5).filter((second) => second.accepted > 0).map(({ p99 }) => p99).sort((one, other) => one - other);
  const baseline = usual[Math.floor(usual.length * 0.9)];
  const isUsual = (second) => second.accepted > 0 && second.p99 <= baseline * 1.2;
  const back = after.seconds.findIndex((_, nth) => nth + 3 <= after.seconds.length && after.seconds.slice(nth, nth + 3).every(isUsual));
  hold(back >= 0 && back <= 30, `p99 is not back at ${baseline} ms: ${after.seconds.map(({ p99 }) => p99).join(' ')}`);
  for (const [what, statuses] of Object.entries(answers)) {
    const others_ = statuses.filter((status) => status !== 200);
    hold(statuses.length > 0 && others_.length === 0, `${what} was answered with ${others_.join(' ')} of ${statuses.length}`);
  }
  console.log(
    `goodput ${whole(goodput)}/s (${(goodput / rate).toFixed(2)} C), memory ${(grows * 100).toFixed(1)} % (since the calm before it ${(sinceCalm * 100).toFixed(1)} %), p99 back at ${Math.round(baseline)} ms after ${back} s,`,
    `${answers.live.length + answers.ready.length} checks of health and ${answers.news.length} events answered`,
  );
  return wrong;
}

const postgres = await Postgres.start();
let status = 0;
try {
  keepApart(postgres);
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
  const open = ({ undecided, others: answers_ }) => undecided + sum(Object.entries(answers_).map(([what, count]) => (what === '503' ? 0 : count)));
  const unanswered = sum(phases.map(({ kinds: all }) => open(all.orders)));
  console.log(`${whole(acknowledged)} orders acknowledged, ${whole(placed)} in the database, ${whole(unanswered)} left open`);
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
