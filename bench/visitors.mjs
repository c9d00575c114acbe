// Visitors who do not wait for one another: 80 % ask for lists of the catalogue, 15 % for a product, and 5 % place an order with an
// idempotency key.
//
// Load and shop must not take processors from each other: the shop and its database get the first one, the load the second.
import { execFileSync } from 'node:child_process';
import { start } from './children.mjs';

const offerer = new URL('../target/release/driveline-bench-offered', import.meta.url).pathname;
export const seed = Number(process.env.SEED ?? 1);

export const whole = (number) => Math.round(number).toLocaleString('en-US');

/** Keeps this program, what it starts from now on, and a database away from the load's processor. */
export function keepApart(postgres) {
  execFileSync('taskset', ['-pc', '0', String(process.pid)]);
  execFileSync('taskset', ['-apc', '0', String(postgres.child.pid)]);
}

const head = (line, headers) => [`${line} HTTP/1.1`, 'host: 127.0.0.1', ...headers, '', ''].join('\r\n');

/** What visitors ask for, as it goes over the wire. */
export async function kinds(shop, buyers) {
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

/** Offers phases one after the other; `seen` gets what came back of each, and `started` the process that offers. */
export function offer(shop, offered, phases, seen, started = () => {}) {
  const child = start('taskset', ['-c', '1', offerer, '--seed', String(seed), new URL(shop.base).host], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started(child);
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

export const sum = (values) => values.reduce((all, one) => all + one, 0);
const of = ({ kinds: all }) => Object.values(all);
export const accepted = (phase) => sum(of(phase).map((kind) => kind.accepted));
export const most = (phase, figure) => Math.max(...of(phase).map((kind) => kind[figure]));

/** What was not accepted, by what it was. */
export function others(phase) {
  const by = {};
  for (const kind of of(phase)) {
    for (const [what, count] of Object.entries(kind.others)) by[what] = (by[what] ?? 0) + count;
  }
  return by;
}

/** What comes back at a rate in some seconds, once its connections are open. */
async function at(shop, offered, rate, seconds) {
  let figures;
  await offer(shop, offered, [{ name: 'opening', rate, seconds: 3 }, { name: 'try', rate, seconds }], (seen) => {
    figures = seen;
  });
  return figures;
}

/**
 * The highest rate at which all is answered, and within a quarter of a second. What was not is tried again, as neighbours on the machine
 * come and go.
 */
export async function capacity(shop, offered) {
  const isAnswered = async (rate) => {
    const figures = await at(shop, offered, rate, 8);
    console.log(`${whole(rate)} a second: ${whole(accepted(figures) / 8)} answered, p99 ${Math.round(figures.p99)} ms`);
    return Object.keys(others(figures)).length === 0 && figures.p99 <= 250;
  };
  let found = 0;
  for (let rate = 2000; (await isAnswered(rate)) || (await isAnswered(rate)); rate *= 1.25) found = rate;
  if (found === 0) throw new Error('the shop cannot answer two thousand a second');
  return found;
}
