#!/usr/bin/env node
// Measures the shop against its limits in one run, and prints a table.
//
//   node bench/bench.mjs [PART...]   PART: catalogue, lists, orders, checkouts, reads, login, memory, growth, finding, feeds; all of them if left out
//
// ROUNDS=5 and SECONDS=1 say how often and how long each figure is taken. Each is the median of its rounds, and the shop and
// its limit take turns, so that a machine that is slower for a while is slower for both.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { start, stopAll } from './children.mjs';
import { customers, database } from './fill.mjs';
import { argon2Alone, bare, load, median, record, requestFile } from './load.mjs';
import { Postgres } from './postgres.mjs';
import { program, Shop } from './shop.mjs';

const here = new URL('.', import.meta.url).pathname;
const rounds = Number(process.env.ROUNDS ?? 5);
const seconds = Number(process.env.SECONDS ?? 1);
const catalogue = `${here}fill-parts.sql`;

const whole = (number) => Math.round(number).toLocaleString('en-US');
const ratio = (value) => value.toFixed(2);
const ms = (value) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

/** Takes measurements in turn, round after round; each answers the figures of one round by name. */
async function inTurn(measurements, times = rounds) {
  const taken = measurements.map(() => []);
  for (let round = 0; round < times; round += 1) {
    for (const [place, measure] of measurements.entries()) taken[place].push(await measure());
  }
  return taken.map((figures) => {
    const names = Object.keys(figures[0]);
    return Object.fromEntries(names.map((name) => [name, median(figures.map((one) => one[name]))]));
  });
}

/** Nothing that is measured may fail or be refused. */
async function strict(base, file, options) {
  const figures = await load(base, file, options);
  if (figures.refused + figures.broken > 0) {
    const [first] = readFileSync(file, 'utf8').split('\n', 1);
    throw new Error(`${first}: ${figures.refused} refused and ${figures.broken} broken of ${figures.requests}`);
  }
  return figures;
}

/** The most that a fresh shop ever held, in MiB, of a short page's readers and then of twenty who read all products. */
async function residentUnderLoad(url, products) {
  const shop = await Shop.start(url);
  await shop.holds(products);
  await strict(shop.base, requestFile([{ target: '/products?limit=50' }]), { connections: 128, seconds });
  // One list of 100,000 takes many seconds, so that what counts is how much of them was sent.
  const all = await load(shop.base, requestFile([{ target: '/products' }]), { connections: 20, seconds: 3 * seconds });
  if (all.refused > 0 || all.bytes < 10_000_000) throw new Error(`/products: ${JSON.stringify(all)}`);
  const most = shop.residentAtMost();
  await shop.stop();
  return most;
}

const tables = {
  /** Everybody's pages and lists, against the same bytes from memory. */
  async catalogue(postgres) {
    await database(postgres, 'catalogue', { products: 1000, accounts: 500, orders: 1000 });
    const shop = await Shop.start(postgres.url('catalogue'));
    await shop.holds(1000);
    const [{ _id: product }] = await shop.call('GET', '/products?limit=1');
    const gzip = { 'accept-encoding': 'gzip' };
    const brotli = { 'accept-encoding': 'br' };
    const targets = [
      ['/products?limit=50', {}],
      ['/products?limit=50', gzip],
      ['/products?limit=50', brotli],
      ['/products?limit=50', 'unchanged'],
      ['/products?category=BRAKES&sort=price&limit=20', {}],
      [`/products/${product}`, {}],
      ['/reviews?limit=20', {}],
      ['/', brotli],
      ['/shop', brotli],
    ];
    const rows = [];
    for (const [target, wanted] of targets) {
      const unchanged = wanted === 'unchanged';
      const plain = await record(shop.base, { target });
      const tag = plain.headers.find(([name]) => name === 'etag')?.[1];
      const headers = unchanged ? { 'if-none-match': tag } : wanted;
      const recorded = await record(shop.base, { target, headers });
      if (recorded.status !== (unchanged ? 304 : 200)) throw new Error(`${target}: ${recorded.status}`);
      const limit = await bare([recorded]);
      const file = requestFile([{ target, headers }]);
      for (const connections of [1, 32, 128]) {
        const [known, found] = await inTurn([
          () => strict(limit.base, file, { connections, seconds }),
          () => strict(shop.base, file, { connections, seconds }),
        ]);
        const how = unchanged ? '304' : (headers['accept-encoding'] ?? 'plain');
        rows.push([
          `GET ${target.replace(product, '{id}')}`, how, connections, whole(known.rate), whole(found.rate),
          ratio(found.rate / known.rate), '0.90', ms(found.p99),
        ]);
      }
      await limit.stop();
    }
    await shop.stop();
    return {
      title: 'Catalogue, 1,000 products, against a bare actix-web handler with the same bytes',
      head: ['call', 'sent', 'connections', 'limit/s', 'shop/s', 'ratio', 'goal', 'p99'],
      rows,
    };
  },

  /** A thousand different requests for lists of a large catalogue. */
  async lists(postgres) {
    await database(postgres, 'lists', { products: 100_000, accounts: 500, orders: 1000 });
    const shop = await Shop.start(postgres.url('lists'));
    const empty = shop.resident();
    await shop.holds(100_000);
    const snapshot = shop.resident() - empty;
    const sorts = ['newest', 'price', '-price', 'name'];
    const filters = ['', '&category=BRAKES', '&category=TIRES', '&inStock=true', '&category=BATTERIES&inStock=true'];
    const requests = [];
    for (const sort of sorts) {
      for (const filter of filters) {
        for (const limit of [10, 20, 50]) {
          let target = `/products?sort=${sort}&limit=${limit}${filter}`;
          for (let page = 0; page < 17 && target; page += 1) {
            requests.push({ target });
            const { headers } = await record(shop.base, { target });
            const link = headers.find(([name]) => name === 'link')?.[1];
            target = link && /<([^>]+)>/.exec(link)?.[1];
          }
        }
      }
    }
    const known = [];
    for (const request of requests) known.push(await record(shop.base, request));
    const limit = await bare(known);
    const file = requestFile(requests);
    const [theirs, own] = await inTurn([
      () => strict(limit.base, file, { connections: 32, seconds }),
      () => strict(shop.base, file, { connections: 32, seconds }),
    ]);
    await limit.stop();
    await shop.stop();
    return {
      title: `Lists, 100,000 products, ${whole(requests.length)} different requests, 32 connections`,
      head: ['what', 'limit', 'shop', 'ratio', 'goal'],
      rows: [
        ['requests/s', whole(theirs.rate), whole(own.rate), ratio(own.rate / theirs.rate), '0.90'],
        ['p99', ms(theirs.p99), ms(own.p99), '', '5 ms'],
        ['memory of the snapshot, a product', '', `${(snapshot * 1.024 * 1.024 / 100).toFixed(2)} KB`, '', '1.50 KB'],
      ],
    };
  },

  /** Selling, against the least that it is. */
  async orders(postgres) {
    await database(postgres, 'orders', { products: 1000, accounts: 500, orders: 1000 });
    postgres.file('orders', `${here}limit.sql`);
    const shop = await Shop.start(postgres.url('orders'));
    const tokens = await customers(postgres, 'orders', shop, 64);
    const ids = (await shop.call('GET', '/products?limit=1000&inStock=true')).map(({ _id }) => _id);
    const order = (token, productId, email) => ({
      method: 'POST',
      target: '/orders',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': '$KEY' },
      body: JSON.stringify({ productId, quantity: 50, name: 'Robin Vale', email, phone: '+1 555 0100', address: '1 Road' }),
    });
    const among = (products, count) =>
      requestFile(
        Array.from({ length: count }, (_, n) => {
          const { token, email } = tokens[n % tokens.length];
          return order(token, products[(n * 7919) % products.length], email);
        }),
      );
    const many = among(ids, 4000);
    const hot = among(ids.slice(0, 1), 640);
    const rows = [];
    for (const [what, file, products, connections, goal] of [
      ['over 1,000 products', many, 1000, 32, 1.5],
      ['over 1,000 products', many, 1000, 128, 1.5],
      ['one hot product', hot, 1, 32, 5],
    ]) {
      const script = `${here}limit-order.sql`;
      const [limit, own] = await inTurn([
        () => ({ rate: postgres.pgbench('orders', script, { clients: 32, seconds, variables: { products } }) }),
        () => strict(shop.base, file, { connections, seconds }),
      ]);
      rows.push([
        `POST /orders, ${what}`, connections, whole(limit.rate), whole(own.rate), ratio(own.rate / limit.rate),
        ratio(goal), ms(own.p50), ms(own.p99),
      ]);
    }
    const [alone] = await inTurn([() => strict(shop.base, many, { connections: 1, seconds })]);
    rows.push(['POST /orders, one at a time', 1, '', whole(alone.rate), '', '', ms(alone.p50), ms(alone.p99)]);
    const drift = postgres.sql(
      'orders',
      `SELECT count(*) FROM products WHERE available < 0 OR available <> (CASE WHEN name ~ '(20|40|60|80|00)$' THEN 0
        ELSE 1000000000 END) + coalesce((SELECT sum(delta) FROM stock_ledger WHERE product_id = products.id), 0)`,
    );
    if (drift !== '0') throw new Error(`the stock of ${drift} products is not what the ledger says`);
    await shop.stop();
    return {
      title: 'Orders, each with an idempotency key, against pgbench with two statements (32 clients, prepared)',
      head: ['call', 'connections', 'limit/s', 'shop/s', 'ratio', 'goal', 'p50', 'p99'],
      rows,
    };
  },

  /** Many orders at once, against the least that they are. */
  async checkouts(postgres) {
    await database(postgres, 'checkouts', { products: 1000, accounts: 500, orders: 1000 });
    postgres.file('checkouts', `${here}limit.sql`);
    // Every fifth product is out of stock.
    postgres.sql('checkouts', 'UPDATE products SET available = 1000000000');
    const shop = await Shop.start(postgres.url('checkouts'));
    const tokens = await customers(postgres, 'checkouts', shop, 8);
    const ids = (await shop.call('GET', '/products?limit=1000')).map(({ _id }) => _id);
    const file = (count) =>
      requestFile(
        tokens.map(({ token, email }) => ({
          method: 'POST',
          target: '/checkouts',
          headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': '$KEY' },
          body: JSON.stringify({
            lines: ids.slice(0, count).map((productId) => ({ productId, quantity: 50 })),
            contact: { name: 'Robin Vale', phone: '+1 555 0100', email },
            address: { line1: '1 Road', city: 'Springfield', region: 'IL', postcode: '62701', country: 'US' },
            terms: 'card',
          }),
        })),
      );
    const rows = [];
    for (const [lines, goal] of [[40, 20], [200, 50], [1000, 200]]) {
      const script = `${here}limit-checkout.sql`;
      const [limit, own] = await inTurn([
        () => ({ rate: postgres.pgbench('checkouts', script, { clients: 1, seconds, variables: { lines } }) }),
        () => strict(shop.base, file(lines), { connections: 1, seconds }),
      ]);
      rows.push([
        `POST /checkouts, ${whole(lines)} lines`, ms(1000 / limit.rate), ms(own.p50), ms(own.p99), ratio(own.rate / limit.rate), ms(goal),
      ]);
    }
    const drift = postgres.sql(
      'checkouts',
      `SELECT count(*) FROM checkouts JOIN LATERAL (SELECT sum(total_cents) AS goods FROM orders WHERE checkout_id = checkouts.id)
       AS lines ON goods IS DISTINCT FROM goods_cents`,
    );
    if (drift !== '0') throw new Error(`${drift} checkouts are not the sum of their lines`);
    await shop.stop();
    return {
      title: 'Checkouts, one at a time, against pgbench with two statements for all lines (1 client, prepared)',
      head: ['call', 'limit', 'p50', 'p99', 'ratio', 'goal (p50)'],
      rows,
    };
  },

  /** What customers read of their own, against the same row by its primary key. */
  async reads(postgres) {
    await database(postgres, 'reads', { products: 1000, accounts: 500, orders: 10_000 });
    const shop = await Shop.start(postgres.url('reads'));
    const buyers = await customers(postgres, 'reads', shop, 32);
    const [{ _id: productId }] = await shop.call('GET', '/products?limit=1&inStock=true');
    const own = [];
    for (const { token, email, cookie } of buyers) {
      const body = { productId, quantity: 50, name: 'Robin Vale', email, phone: '+1 555 0100', address: '1 Road' };
      const { insertedId } = await shop.call('POST', '/orders', { token, body });
      own.push({ token, email, cookie, insertedId });
    }
    const file = (target) =>
      requestFile(own.map((one) => ({ target: target(one), headers: { authorization: `Bearer ${one.token}`, cookie: one.cookie } })));
    const rows = [];
    for (const [what, requests] of [
      ['GET /orders?email=', file(({ email }) => `/orders?email=${email}`)],
      ['GET /orders/{id}', file(({ insertedId }) => `/orders/${insertedId}`)],
      ['GET /auth/me', file(() => '/auth/me')],
    ]) {
      const [limit, found] = await inTurn([
        () => ({
          rate: postgres.pgbench('reads', `${here}limit-read.sql`, { clients: 32, seconds, variables: { orders: 10_000 } }),
        }),
        () => strict(shop.base, requests, { connections: 32, seconds }),
      ]);
      rows.push([what, whole(limit.rate), whole(found.rate), ratio(found.rate / limit.rate), '0.50', ms(found.p99)]);
    }
    await shop.stop();
    return {
      title: 'Reads of one’s own, 32 connections, against pgbench with a SELECT by primary key',
      head: ['call', 'limit/s', 'shop/s', 'ratio', 'goal', 'p99'],
      rows,
    };
  },

  /** Many logins at once, against argon2 alone, and what they do to those who only look. */
  async login(postgres) {
    await database(postgres, 'login', { products: 1000, accounts: 500, orders: 1000 });
    const shop = await Shop.start(postgres.url('login'));
    await shop.holds(1000);
    const accounts = await customers(postgres, 'login', shop, 32);
    const logins = requestFile(
      accounts.map(({ email }) => ({
        method: 'POST',
        target: '/auth/login',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email, password: 'a password of the bench' }),
      })),
    );
    const catalogue = requestFile([{ target: '/products?limit=50' }]);
    // As many as the shop gives to hashing: the others are for everybody else.
    const threads = Math.max(1, cpus().length >> 1);
    const [alone, storm, calm, beside] = await inTurn([
      async () => ({ rate: await argon2Alone(threads, seconds) }),
      () => strict(shop.base, logins, { connections: 32, seconds }),
      () => strict(shop.base, catalogue, { connections: 4, seconds }),
      async () => {
        const both = [
          strict(shop.base, catalogue, { connections: 4, seconds }),
          strict(shop.base, logins, { connections: 32, seconds }),
        ];
        return (await Promise.all(both))[0];
      },
    ]);
    await shop.stop();
    return {
      title: 'A storm of logins, 32 connections',
      head: ['what', 'limit', 'shop', 'ratio', 'goal'],
      rows: [
        [`POST /auth/login against argon2 alone on ${threads} thread${threads > 1 ? 's' : ''}, as many as it is given`, `${ratio(alone.rate)}/s`, `${ratio(storm.rate)}/s`,
          ratio(storm.rate / alone.rate), '0.90'],
        ['p99 of the catalogue, calm and beside it', ms(calm.p99), ms(beside.p99), ratio(beside.p99 / calm.p99), '1.20'],
      ],
    };
  },

  /** How soon it is there, and what it holds: with a usual catalogue, and with one that the snapshot itself fills. */
  async memory(postgres) {
    const rows = [];
    for (const products of [1000, 100_000]) {
      const name = `memory_${products}`;
      await database(postgres, name, { products, accounts: 500, orders: 1000 });
      const [start] = await inTurn([
        async () => {
          const shop = await Shop.start(postgres.url(name));
          await shop.holds(products);
          const figures = { startedIn: shop.startedIn, idle: shop.resident() };
          await shop.stop();
          return figures;
        },
      ]);
      const most = await residentUnderLoad(postgres.url(name), products);
      rows.push([whole(products), ms(start.startedIn), `${whole(start.idle)} MiB`, `${whole(most)} MiB`]);
    }
    return {
      title: 'Start of serve until it is ready, and resident memory: idle with the catalogue in it, and at most while twenty visitors ask for all products',
      head: ['products', 'start', 'idle', 'at most'],
      rows: [...rows, ['goal', '100 ms', '40 MiB', '120 MiB']],
    };
  },

  /** The same calls, one at a time, as the shop grows. */
  async growth(postgres) {
    const sizes = (process.env.SIZES ?? '1000,10000,100000,1000000').split(',').map(Number);
    const figures = new Map();
    for (const size of sizes) {
      const name = `growth_${size}`;
      await database(postgres, name, { products: size, accounts: Math.min(size, 10_000), orders: size });
      const shop = await Shop.start(postgres.url(name));
      await shop.holds(size);
      const [buyer, boss] = await customers(postgres, name, shop, 2);
      postgres.sql(name, `UPDATE accounts SET role = 'admin' WHERE email = '${boss.email}'`);
      const products = await shop.call('GET', '/products?limit=100&inStock=true');
      const deep = await deepPage(shop, `/allOrders?limit=100`, boss.token, Math.min(50, size / 200));
      const authorised = ({ token }) => ({ authorization: `Bearer ${token}` });
      const calls = {
        'placing an order': requestFile(
          products.map(({ _id }) => ({
            method: 'POST',
            target: '/orders',
            headers: { ...authorised(buyer), 'content-type': 'application/json', 'idempotency-key': '$KEY' },
            body: JSON.stringify({
              productId: _id, quantity: 50, name: 'Robin Vale', email: buyer.email, phone: '1', address: '1 Road',
            }),
          })),
        ),
        'own orders, first page': requestFile([{ target: `/orders?email=${buyer.email}&limit=20`, headers: authorised(buyer) }]),
        'products, first page': requestFile([{ target: '/products?limit=50' }]),
        'products by text': requestFile([{ target: '/products?q=bearing+3&limit=20' }]),
        'all orders, first page': requestFile([{ target: '/allOrders?limit=20', headers: authorised(boss) }]),
        'all orders, a deep page': requestFile([{ target: deep, headers: authorised(boss) }]),
        'orders by text': requestFile([{ target: '/allOrders?q=disc+99&limit=20', headers: authorised(boss) }]),
        overview: requestFile([{ target: '/overview?days=30', headers: authorised(boss) }]),
      };
      for (const [call, file] of Object.entries(calls)) {
        const [{ p50 }] = await inTurn([() => strict(shop.base, file, { connections: 1, seconds: 1 })], 3);
        figures.set(call, [...(figures.get(call) ?? []), p50]);
      }
      await shop.stop();
      postgres.sql('postgres', `DROP DATABASE ${name}`);
    }
    return {
      title: 'Growth: the median of one call at a time, by the number of orders and of products',
      head: ['call', ...sizes.map(whole), 'last / first', 'goal'],
      rows: [...figures].map(([call, times]) => [call, ...times.map(ms), ratio(times.at(-1) / times[0]), '1.20']),
    };
  },

  /** Finding the part among a million, one call at a time, each call another one. */
  async finding(postgres) {
    const products = Number(process.env.PARTS ?? 1_000_000);
    const name = 'finding';
    postgres.create(name);
    const first = await Shop.start(postgres.url(name));
    const vehicles = (await modelsOf(first.base)).flatMap(({ vehicles }) => vehicles);
    await first.stop();
    const filling = performance.now();
    fillParts(postgres, name, { products, fits: 20, vehicles });
    const filled = (performance.now() - filling) / 1000;
    const counted = (table) => Number(postgres.sql(name, `SELECT count(*) FROM ${table}`));
    const shop = await Shop.start(postgres.url(name));
    await shop.holds(products);
    const rows = [];
    const types = (await fetch(`${shop.base}/part-types`).then((answer) => answer.json())).map(({ name }) => name);
    for (const [call, goal, targets] of searches(products, vehicles, types)) {
      const requests = requestFile(targets.map((target) => ({ target })));
      await load(shop.base, requests, { connections: 1, seconds: 1 });
      const [{ p50, p99 }] = await inTurn([() => strict(shop.base, requests, { connections: 1, seconds: 2 })], 3);
      rows.push([call, ms(p50), ms(p99), `${goal} ms`, ratio(p99 / goal)]);
    }
    await shop.stop();
    const size = `${whole(products)} parts, ${whole(counted('part_numbers'))} numbers and ${whole(counted('fitments'))} fitments`;
    postgres.sql('postgres', `DROP DATABASE ${name}`);
    return {
      title: `Finding a part among ${size} (filled in ${whole(filled)} s), one call at a time`,
      head: ['call', 'median', 'p99', 'goal for p99', 'p99 / goal'],
      rows,
    };
  },

  /** Files of a hundred thousand stocks and of a million fitments, by the command that reads them. */
  async feeds(postgres) {
    const rows = Number(process.env.FEED_ROWS ?? 1_000_000);
    const products = rows / 10;
    const name = 'feeds';
    postgres.create(name);
    const first = await Shop.start(postgres.url(name));
    const models = await modelsOf(first.base);
    await first.stop();
    fillParts(postgres, name, { products, fits: 0, vehicles: models.flatMap(({ vehicles }) => vehicles) });
    const parts = postgres
      .sql(name, 'SELECT brand.name, part_number FROM products JOIN brands AS brand ON brand.id = brand_id ORDER BY no')
      .split('\n')
      .map((line) => line.replace('|', ','));
    const stock = `${postgres.folder}/stock.csv`;
    const stocks = parts.map((part, n) => `${part},${(n * 7) % 1000}\n`);
    writeFileSync(stock, `brand,part_number,availableQty\n${stocks.join('')}`);
    const fitment = `${postgres.folder}/fitment.csv`;
    const fits = Array.from({ length: rows }, (_, n) => {
      const { make, name: model, years } = models[(n * 7919) % models.length];
      // Some names have a comma.
      return `${parts[n % products]},"${make}","${model}",${years[n % years.length]},front,2\n`;
    });
    writeFileSync(fitment, `brand,part_number,make,model,year_from,position,per_vehicle\n${fits.join('')}`);
    const table = [];
    for (const [what, kind, file, goal] of [
      [`stock, ${whole(products)} rows`, 'stock', stock, [30, undefined]],
      [`fitment, ${whole(rows)} rows`, 'fitment', fitment, [90, 150]],
      ['the same fitment again', 'fitment', fitment, [90, 150]],
    ]) {
      const { seconds, memory } = await feed(postgres.url(name), kind, file);
      table.push([what, `${seconds.toFixed(1)} s`, `${goal[0]} s`, `${whole(memory)} MiB`, goal[1] ? `${goal[1]} MiB` : '']);
    }
    const count = whole(Number(postgres.sql(name, 'SELECT count(*) FROM fitments')));
    postgres.sql('postgres', `DROP DATABASE ${name}`);
    return {
      title: `Feeds, from the file to the shop (${count} fitments in the end)`,
      head: ['feed', 'took', 'goal', 'memory at most', 'goal'],
      rows: table,
    };
  },
};

function fillParts(postgres, name, { vehicles, ...sizes }) {
  const file = `${postgres.folder}/vehicles`;
  writeFileSync(file, vehicles.map((id) => `${id}\n`).join(''));
  postgres.file(name, catalogue, { ...sizes, vehicles: file });
}

/** How long a feed takes from the file to the shop, in seconds, and the most memory that it had, in MiB. */
async function feed(url, kind, file) {
  const begun = performance.now();
  const environment = { PATH: process.env.PATH, DATABASE_URL: url, RUST_LOG: 'warn' };
  const child = start(program, ['feed', file, '--kind', kind], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (piece) => {
    said += piece;
  });
  let most = 0;
  const watch = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      most = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? most);
    } catch {
      // It has just ended.
    }
  }, 100);
  const code = await new Promise((done) => child.once('exit', done));
  clearInterval(watch);
  if (code !== 0) throw new Error(`the feed of ${kind} ended with ${code}: ${said.slice(0, 400)}`);
  return { seconds: (performance.now() - begun) / 1000, memory: most / 1024 };
}

/** All models with their makes, years and vehicles, year by year; those that were sold for long first. */
async function modelsOf(base) {
  const get = (path) => fetch(`${base}${path}`).then((answer) => answer.json());
  const known = new Map();
  for (const { id: year } of await get('/vehicles/years')) {
    for (const { id: makeId, name: make } of await get(`/vehicles/makes?year=${year}`)) {
      for (const { id, name, vehicle } of await get(`/vehicles/models?year=${year}&make=${makeId}`)) {
        const model = known.get(id) ?? { make, name, years: [], vehicles: [] };
        model.years.push(year);
        model.vehicles.push(vehicle);
        known.set(id, model);
      }
    }
  }
  // Models that were sold for long are what most of the parts are for.
  return [...known.values()].sort((one, other) => other.years.length - one.years.length);
}

/** What is asked, how soon its slowest of a hundred is to be answered, and a hundred ways to ask it. */
function searches(products, vehicles, types) {
  const hundred = (ask) => Array.from({ length: 100 }, (_, n) => ask(n));
  const no = (n) => 1 + ((n * 7919) % products);
  const digits = (n) => String(no(n)).padStart(7, '0');
  const own = (n) => `P${digits(n)}-${String.fromCharCode(65 + (no(n) % 26))}`;
  const busy = (n) => vehicles[20 + n * 19];
  // As fill-parts.sql makes them.
  const id = (n) => `${no(n).toString(16).padStart(8, '0')}${createHash('md5').update('product').digest('hex').slice(0, 24)}`;
  const type = (n) => encodeURIComponent(types[n % types.length]);
  return [
    ['own number, wrong separators', 20, hundred((n) => `/products?number=${own(n).replace('-', '%20').toLowerCase()}`)],
    ["a competitor's number", 20, hundred((n) => `/products?number=09${String.fromCharCode(65 + (no(n) % 26))}${digits(n)}11`)],
    ['the beginning of a number', 20, hundred((n) => `/products?number=P${digits(n).slice(0, 6)}&limit=24`)],
    ['a misread number', 20, hundred((n) => `/products?number=${own(n).replaceAll('0', 'O')}&limit=24`)],
    ['a number with a slip', 20, hundred((n) => `/products?number=${own(n).slice(0, 4)}X${own(n).slice(5)}&limit=24`)],
    ['words, any order', 50, hundred((n) => `/products?q=front+disc+brake+${100 + n * 3}&limit=24`)],
    ['one frequent word', 50, hundred((n) => `/products?q=${['brake', 'lamp', 'pump', 'belt'][n % 4]}&limit=24`)],
    ['what can be chosen among words', 50, hundred((n) => `/products/facets?q=front+disc+brake+${100 + n * 3}`)],
    ['the shop, first page', 50, hundred((n) => `/products?limit=24&sort=${['price', 'newest'][n % 2]}`)],
    ['the shop, one brand', 50, hundred((n) => `/products?brand=Brand+${1 + n}&limit=24`)],
    ['the shop, one part type, by price', 50, hundred((n) => `/products?partType=${type(n)}&sort=price&limit=24`)],
    ['what can be chosen of all', 50, hundred(() => '/products/facets')],
    ['what can be chosen of a part type', 50, hundred((n) => `/products/facets?partType=${type(n)}`)],
    ['vehicle and part type', 20, hundred((n) => `/products?vehicle=${busy(n)}&partType=${type(n)}&limit=24`)],
    ['a whole vehicle', 50, hundred((n) => `/products?vehicle=${busy(n)}&limit=24`)],
    ['does it fit', 5, hundred((n) => `/products/${id(n)}/fit?vehicle=${busy(n)}`)],
    ['what can be chosen of a vehicle', 50, hundred((n) => `/products/facets?vehicle=${busy(n)}`)],
  ];
}

/** The address of a page some pages behind the first. */
async function deepPage(shop, first, token, pages) {
  let target = first;
  for (let page = 0; page < pages; page += 1) {
    const { headers } = await record(shop.base, { target, headers: { authorization: `Bearer ${token}` } });
    const link = headers.find(([name]) => name === 'link')?.[1];
    const next = link && /<([^>]+)>/.exec(link)?.[1];
    if (!next) break;
    target = next;
  }
  return target;
}

function markdown({ title, head, rows }) {
  const line = (cells) => `| ${cells.join(' | ')} |`;
  return [`## ${title}`, '', line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');
}

const wanted = process.argv.slice(2);
for (const name of wanted) {
  if (!(name in tables)) {
    console.error(`bench: there is no part ${name}: ${Object.keys(tables).join(', ')}`);
    process.exit(2);
  }
}
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: here, encoding: 'utf8' }).trim();
const machine = `${cpus().length} × ${cpus()[0].model}, ${Math.round(totalmem() / 2 ** 30)} GiB`;
const postgres = await Postgres.start();
const parts = [];
let failed = false;
try {
  for (const name of wanted.length > 0 ? wanted : Object.keys(tables)) {
    try {
      parts.push(markdown(await tables[name](postgres)));
    } catch (error) {
      failed = true;
      parts.push(`## ${name}\n\nNot measured: ${error.message}\n`);
    }
    console.log(parts.at(-1));
  }
} finally {
  // Shops of parts that failed, too.
  await stopAll();
  postgres.remove();
}
const text = `# Performance

Measured by \`make bench\` at ${commit} on ${machine}. Load, shop and database share the machine, so only
ratios count: each figure is the median of ${rounds} rounds of ${seconds} s in turn with its limit. [bench](../bench/README.md) says how. The goals are what the shop is to reach.

${parts.join('\n')}`;
if (wanted.length === 0 && !failed) writeFileSync(`${here}../docs/performance.md`, text);
process.exit(failed ? 1 : 0);
