#!/usr/bin/env node
// Asks half of what the shop can do for long, and looks whether it stays as it is: its file descriptors, its connections to the
// database and its memory; and whether what has served is deleted meanwhile.
//
//   node bench/soak.mjs [SECONDS]   3600 if left out
//
// The first sixth is left for the shop to warm up. Beside the visitors (visitors.mjs) somebody logs in every second, and somebody who
// knows no password tries as often as he may.
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { stopAll } from './children.mjs';
import { customers, database } from './fill.mjs';
import { grown, plantedLeaks, SLICES } from './leaks.mjs';
import { Postgres } from './postgres.mjs';
import { Shop } from './shop.mjs';
import { accepted, capacity, keepApart, kinds, offer, others, seed, sum, whole } from './visitors.mjs';

const RENEWED_EVERY = 10;
const seconds = Number(process.argv[2] ?? 3600);
/** How many old records of each kind there are. Only an attempt to log in that has failed deletes failed ones of before. */
const OLD = 100_000;
const OLD_ATTEMPTS = seconds;
/** Of one network twenty failed log-ins in a quarter of an hour are looked at. */
const FAILS_EVERY = 45;

const STALE = {
  sessions: "SELECT count(*) FROM sessions WHERE coalesce(closed_at, expires_at) < now() - interval '8 days'",
  'idempotency records': "SELECT count(*) FROM answers WHERE claimed_at < now() - interval '26 hours'",
  'sent e-mails': "SELECT count(*) FROM outbox WHERE state = 'sent' AND sent_at < now() - interval '31 days'",
  'failed logins': "SELECT count(*) FROM login_guesses WHERE at < now() - interval '1 day'",
};

function stale(postgres) {
  return Object.entries(STALE).map(([what, count]) => [what, Number(postgres.sql('soak', count))]);
}

const open = ({ pid }) => readdirSync(`/proc/${pid}/fd`).length;

/** How much the shop has; the connections of the visitors, who come and go, are not its own. */
function sample(postgres, shop, visitors) {
  return {
    descriptors: open(shop.child) - (visitors ? open(visitors) : 0),
    connections: Number(postgres.sql('soak', "SELECT count(*) FROM pg_stat_activity WHERE datname = 'soak' AND pid <> pg_backend_pid()")),
    resident: shop.resident(),
  };
}

/** The longest that a statement which deletes has been seen running. */
function watchSweeps(postgres) {
  const running = `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - query_start)), 0) FROM pg_stat_activity
    WHERE datname = 'soak' AND state = 'active' AND query ~ '^(/[*].*[*]/)?\\s*DELETE'`;
  let [longest, looks] = [0, 0];
  postgres.watch('soak', running, 0.2, (value) => {
    looks += 1;
    longest = Math.max(longest, Number(value));
  });
  return () => ({ longest, looks });
}

/** Somebody who logs in, and somebody who fails to; the answers by their status. */
function logIn(shop, email) {
  const answers = {};
  const attempt = (body) => {
    const call = fetch(`${shop.base}/auth/login`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const status = call.then((answer) => answer.arrayBuffer().then(() => answer.status), () => 0);
    void status.then((one) => {
      answers[one] = (answers[one] ?? 0) + 1;
    });
  };
  let nth = 0;
  const timer = setInterval(() => {
    attempt({ email, password: 'a password of the bench' });
    if (nth % FAILS_EVERY === 0) attempt({ email: `nobody.${nth}@example.com`, password: 'not a password of anybody' });
    nth += 1;
  }, 1000);
  return () => {
    clearInterval(timer);
    return answers;
  };
}

/**
 * Offers half of the capacity in slices; the samples, and what was not accepted. Tokens last for a quarter of an hour, so that customers
 * get new ones every ten slices.
 */
async function soak(postgres, shop, buyers, rate, slice) {
  const [samples, refused] = [[], {}];
  let [answered, slowest] = [0, 0];
  while (samples.length < SLICES) {
    const offered = await kinds(shop, await Promise.all(buyers.map((one) => shop.renew(one))));
    const phases = Array.from({ length: RENEWED_EVERY }, (_, n) => ({ name: `slice ${n}`, rate: rate / 2, seconds: slice }));
    // After the last one whoever offers has gone.
    phases.push({ name: 'end', rate: 100, seconds: 1 });
    let visitors;
    const seen = (phase) => {
      if (phase.phase === 'end') return;
      samples.push(sample(postgres, shop, visitors));
      answered += accepted(phase);
      slowest = Math.max(slowest, phase.p99);
      for (const [what, count] of Object.entries(others(phase))) refused[what] = (refused[what] ?? 0) + count;
      const { descriptors, connections, resident } = samples.at(-1);
      console.log(`${samples.length * slice} s: ${whole(answered)} answered, ${descriptors} file descriptors, ${connections} connections, ${Math.round(resident)} MiB, p99 ${phase.p99} ms`);
    };
    await offer(shop, offered, phases, seen, (child) => {
      visitors = child;
    });
  }
  return { samples, refused, answered, slowest };
}

const wrong = plantedLeaks();
const postgres = await Postgres.start();
try {
  keepApart(postgres);
  await database(postgres, 'soak', { products: 1000, accounts: 500, orders: 1000 });
  const first = await Shop.start(postgres.url('soak'));
  await first.holds(1000);
  const rate = await capacity(first, await kinds(first, await customers(postgres, 'soak', first, 64)));
  await first.stop();
  postgres.file('soak', new URL('soak.sql', import.meta.url).pathname, { many: OLD, attempts: OLD_ATTEMPTS });
  const planted = sum(stale(postgres).map(([, count]) => count));
  if (planted !== 3 * OLD + OLD_ATTEMPTS) wrong.push(`of ${3 * OLD + OLD_ATTEMPTS} old records ${planted} are seen`);
  console.log(`C = ${whole(rate)} a second, half of it for ${seconds} s beside ${whole(planted)} old records (seed ${seed})`);

  const sweeps = watchSweeps(postgres);
  const shop = await Shop.start(postgres.url('soak'));
  await shop.holds(1000);
  const buyers = await customers(postgres, 'soak', shop, 64);
  const logins = logIn(shop, buyers[0].email);
  const { samples, refused, answered, slowest } = await soak(postgres, shop, buyers, rate, seconds / SLICES);
  const attempts = logins();
  wrong.push(...grown(samples));
  const lost = sum(Object.entries(refused).map(([what, count]) => (what === '503' ? 0 : count)));
  // A neighbour on the machine may make the shop refuse for a moment.
  if (lost > 0 || (refused['503'] ?? 0) > answered / 1000) wrong.push(`not answered: ${JSON.stringify(refused)} beside ${answered}`);
  if (Object.keys(attempts).some((status) => status !== '200' && status !== '401') || !attempts[200] || !attempts[401]) {
    wrong.push(`log-ins were answered with ${JSON.stringify(attempts)}`);
  }
  const left = stale(postgres);
  for (const [what, count] of left) if (count > 0) wrong.push(`${count} old ${what} are left`);
  const { longest: took, looks } = sweeps();
  if (looks < seconds) wrong.push(`statements that delete were looked for only ${looks} times`);
  if (took === 0) wrong.push('no statement that deletes was seen');
  if (took > 1) wrong.push(`a statement that deletes took ${took.toFixed(2)} s`);
  console.log(
    `${whole(answered)} answered, the slowest slice's p99 ${slowest} ms, not accepted ${JSON.stringify(refused)}, log-ins ${JSON.stringify(attempts)};`,
    `old records left: ${left.map(([what, count]) => `${count} ${what}`).join(', ')}; the longest statement that deletes took ${took.toFixed(2)} s`,
  );
  // Visitors who connect and never leave have to be noticed as file descriptors.
  const sockets = [];
  const crowd = [];
  for (let n = 0; n < SLICES; n += 1) {
    sockets.push(connect(Number(new URL(shop.base).port), '127.0.0.1').on('error', () => {}));
    await new Promise((done) => setTimeout(done, 50));
    crowd.push(sample(postgres, shop));
  }
  const noticed = grown(crowd);
  console.log(noticed.length > 0 ? `planted: ${noticed.join('; ')}` : 'BROKEN: connections that nobody closes are not noticed');
  if (noticed.length === 0) wrong.push('the planted crowd');
  for (const socket of sockets) socket.destroy();
  await shop.stop();
  for (const words of wrong) console.log(`BROKEN: ${words}`);
} finally {
  await stopAll();
  postgres.remove();
}
process.exit(wrong.length > 0 ? 1 : 0);
