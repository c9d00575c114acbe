/*
 * Measures the shop at SHOP_URL with Lighthouse (mobile, simulated throttling) and fails when a budget is broken: the median
 * of five runs for each page, without the runs on which the machine was too busy to measure anything.
 *
 *   SHOP_URL=http://127.0.0.1:8080 CHROMIUM=/usr/bin/chromium node scripts/lighthouse.mjs [PAGE...]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import lighthouse from 'lighthouse';

const shop = process.env.SHOP_URL;
if (!shop) {
  console.error('SHOP_URL does not say where the shop is.');
  process.exit(2);
}
const RUNS = Number(process.env.RUNS ?? 5);
/** Below this benchmark index a machine is too slow, or too busy, for a run to count. */
const FAST_ENOUGH = 1_000;
const KIB = 1024;
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const LIMITS = {
  performance: 99,
  accessibility: 100,
  'best-practices': 100,
  seo: 100,
  cls: 0.01,
  html: 14 * KIB,
};

const [product] = await (await fetch(`${shop}/products?limit=1`)).json();
/** Where the page of the part for everybody is. */
const part = new URL((await fetch(`${shop}/parts/${product._id}`)).url).pathname;
const everything = [
  { name: 'Home', path: '/', lcp: 1_200 },
  { name: 'Shop', path: '/shop' },
  { name: 'About', path: '/about' },
  { name: 'Login', path: '/login' },
  { name: 'Part', path: part },
  { name: 'Category', path: '/shop/brakes' },
  { name: 'Product', path: `/product/${product._id}`, signedIn: true },
];
const wanted = process.argv.slice(2);
const pages = everything.filter(({ name }) => wanted.length === 0 || wanted.includes(name));

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const { port } = server.address();
  await new Promise((done) => server.close(done));
  return port;
}

/** What the page itself weighs on its way, in bytes, without its headers. */
function weigh(path) {
  const headers = { Accept: 'text/html', 'Accept-Encoding': 'gzip, deflate, br' };
  return new Promise((done, fail) => {
    get(`${shop}${path}`, { headers }, (response) => {
      let bytes = 0;
      response.on('data', (piece) => {
        bytes += piece.length;
      });
      response.on('end', () => done(bytes));
    }).on('error', fail);
  });
}

/** One look at a page, by a browser that has never been here. */
async function measure({ path, signedIn = false }) {
  const profile = mkdtempSync(join(tmpdir(), 'driveline-lighthouse-'));
  const port = await freePort();
  const context = await chromium.launchPersistentContext(profile, {
    ...(process.env.CHROMIUM ? { executablePath: process.env.CHROMIUM } : {}),
    args: [`--remote-debugging-port=${port}`, '--no-sandbox', '--disable-background-networking'],
  });
  try {
    if (signedIn) {
      const data = { email: 'customer@example.com', password: 'demo-password' };
      const answer = await context.request.post(`${shop}/auth/login`, { data });
      if (!answer.ok()) throw new Error(`signing in: ${answer.status()}`);
    }
    const { lhr } = await lighthouse(`${shop}${path}`, {
      port,
      logLevel: 'error',
      onlyCategories: CATEGORIES,
      // The profile is new; what is stored in it is the session.
      disableStorageReset: signedIn,
    });
    if (lhr.runtimeError) throw new Error(lhr.runtimeError.message);
    const requests = lhr.audits['network-requests'].details.items;
    const scores = Object.fromEntries(
      CATEGORIES.map((name) => [name, Math.round(lhr.categories[name].score * 100)]),
    );
    return {
      ...scores,
      benchmark: lhr.environment.benchmarkIndex,
      fcp: lhr.audits['first-contentful-paint'].numericValue,
      lcp: lhr.audits['largest-contentful-paint'].numericValue,
      tbt: lhr.audits['total-blocking-time'].numericValue,
      cls: lhr.audits['cumulative-layout-shift'].numericValue,
      html: await weigh(path),
      bytes: requests.reduce((total, { transferSize }) => total + transferSize, 0),
      failed: Object.values(lhr.audits)
        .filter(({ score, scoreDisplayMode }) => scoreDisplayMode === 'binary' && score === 0)
        .map(({ id }) => id),
    };
  } finally {
    await context.close();
    rmSync(profile, { recursive: true, force: true });
  }
}

/** A browser loses a trace now and then; what fails three times fails for a reason. */
async function measureWithRetries(page) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await measure(page);
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** What is over (or under) its limit, in words. */
function breaches(result, page) {
  const found = CATEGORIES.filter((name) => result[name] < LIMITS[name]).map(
    (name) => `${name} ${result[name]} of ${LIMITS[name]}`,
  );
  if (result.cls > LIMITS.cls) found.push(`CLS ${result.cls.toFixed(3)} of ${LIMITS.cls}`);
  if (result.html > LIMITS.html) found.push(`HTML ${(result.html / KIB).toFixed(1)} of 14 KiB`);
  if (page.lcp && result.lcp > page.lcp)
    found.push(`LCP ${result.lcp.toFixed(0)} of ${page.lcp} ms`);
  return found;
}

const rows = [];
const broken = [];
for (const page of pages) {
  const runs = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await measureWithRetries(page));
  const calm = runs.filter(({ benchmark }) => benchmark >= FAST_ENOUGH);
  const counted = calm.length > 0 ? calm : runs;
  const figures = Object.keys(runs[0]).filter((name) => name !== 'failed');
  const result = Object.fromEntries(
    figures.map((name) => [name, median(counted.map((run) => run[name]))]),
  );
  rows.push({
    page: page.name,
    runs: `${counted.length} of ${RUNS}${calm.length > 0 ? '' : ', all slow'}`,
    performance: result.performance,
    accessibility: result.accessibility,
    'best practices': result['best-practices'],
    SEO: result.seo,
    'FCP ms': Math.round(result.fcp),
    'LCP ms': Math.round(result.lcp),
    'TBT ms': Math.round(result.tbt),
    CLS: result.cls.toFixed(4),
    'HTML KiB': (result.html / KIB).toFixed(1),
    'all KiB': (result.bytes / KIB).toFixed(0),
  });
  const failed = [...new Set(counted.flatMap((run) => run.failed))];
  for (const breach of breaches(result, page)) {
    broken.push(`${page.name}: ${breach}${failed.length > 0 ? ` (${failed.join(', ')})` : ''}`);
  }
}
console.table(rows);
for (const line of broken) console.error(`OVER  ${line}`);
process.exit(broken.length > 0 ? 1 : 0);
