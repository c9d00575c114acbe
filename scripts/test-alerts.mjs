#!/usr/bin/env node
// Proves the alerts of deploy/prometheus and the dashboard of deploy/grafana: with Prometheus' own promtool that they can be read
// and that each alert fires and is silent when it should, and with what a running shop exports that they name nothing else.
//
//   scripts/with-demo PROGRAM scripts/test-alerts.mjs   SHOP_URL: a demo; PROMTOOL: the program, .tools/prometheus/promtool
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const read = (file) => readFileSync(join(root, file), 'utf8');
const rules = read('deploy/prometheus/alerts.yml');
const tests = read('deploy/prometheus/alerts.test.yml');
const runbooks = read('docs/operations.md');
const dashboard = JSON.parse(read('deploy/grafana/driveline.json'));

/** Metrics that a demo does not have, and why. They have to stand in the program's code. */
const elsewhere = {
  up: null, // Prometheus' own
  database_replica_up: 'with DATABASE_READ_URL',
  database_replica_lag_seconds: 'with DATABASE_READ_URL',
  searches_without_engine: 'with SEARCH_URL',
  search_index_behind_seconds: 'with SEARCH_URL',
  search_index_changes_waiting: 'with SEARCH_URL',
  trace_spans: 'with OTEL_EXPORTER_OTLP_ENDPOINT',
};
/** Labels that Prometheus adds to everything that it scrapes. */
const added = ['instance', 'job'];

const failures = [];
let passed = 0;
function check(holds, otherwise) {
  if (holds) passed += 1;
  else failures.push(otherwise);
}

/** The alerts: each one's name, expression and further lines. */
const alerts = rules
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => {
    const name = text.match(/^\w+/)[0];
    const expr = text.match(/^ {8}expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)/m);
    return { name, text, expr: expr[1] ?? expr[2] };
  });

// --- what an operator needs ------------------------------------------------------------------------------------------

const headings = [...runbooks.matchAll(/^#### (\w+)$/gm)].map(([, heading]) => heading);
for (const { name, text } of alerts) {
  check(headings.includes(name), `${name} has no runbook in docs/operations.md: #### ${name}`);
  check(text.includes(`runbook: docs/operations.md#${name.toLowerCase()}\n`), `${name} does not name its runbook`);
  for (const part of ['summary', 'description']) check(text.includes(`${part}: "`), `${name} has no ${part}`);
  check(/severity: (critical|warning|info)\b/.test(text), `${name} has no severity`);
  for (const test of [name, `${name} is silent`]) {
    check(tests.includes(`- name: ${test}\n`), `alerts.test.yml has no test called "${test}"`);
  }
}
const names = alerts.map(({ name }) => name);
for (const heading of headings) check(names.includes(heading), `docs/operations.md has a runbook of ${heading}, which is no alert`);

// --- what the shop exports -------------------------------------------------------------------------------------------

/** The metrics of an expression in PromQL, each with the labels that it is asked for. */
function metricsOf(expression) {
  const bare = expression.replaceAll(/"[^"]*"/g, '""');
  const labelled = [...bare.matchAll(/\b([a-z_]\w*)\s*\{([^}]*)\}/g)].map(([, metric, matchers]) => ({
    metric,
    labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label),
  }));
  const rest = bare
    .replaceAll(/\{[^}]*\}/g, ' ')
    .replaceAll(/\[[^\]]*\]/g, ' ')
    .replaceAll(/\b(by|on|ignoring|without|group_left|group_right)\s*\([^)]*\)/g, ' ');
  const plain = [...rest.matchAll(/\b([a-z_]\w*)\b(?!\s*\()/g)].map(([, metric]) => ({ metric, labels: [] }));
  return [...labelled, ...plain].filter(({ metric }) => !['and', 'or', 'unless', 'bool', 'offset'].includes(metric));
}

/** What a shop exports: the labels of each metric. */
async function exported(url) {
  await Promise.all(['/', '/products?limit=1', '/nothing'].map((path) => fetch(`${url}${path}`)));
  const text = await (await fetch(`${url}/metrics`)).text();
  const found = new Map();
  for (const [, metric, labels = ''] of text.matchAll(/^([a-z_]\w*)(?:\{(.*)\})? /gm)) {
    const known = found.get(metric) ?? new Set();
    for (const [, label] of labels.matchAll(/(\w+)="/g)) known.add(label);
    found.set(metric, known);
  }
  return found;
}

function sources(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'tests' ? [] : sources(path);
    return path.endsWith('.rs') ? [read(path)] : [];
  });
}

const panels = dashboard.panels.flatMap((panel) => [panel, ...(panel.panels ?? [])]);
const queries = panels.flatMap((panel) => (panel.targets ?? []).map(({ expr }) => ({ name: `panel "${panel.title}"`, expr })));
check(queries.length > 20, 'the dashboard has hardly any query');
const asked = [...alerts, ...queries].flatMap(({ name, expr }) => metricsOf(expr).map((use) => ({ name, ...use })));

const shop = process.env.SHOP_URL;
if (!shop) throw new Error('SHOP_URL is not set: scripts/with-demo sets it');
/** Some metrics come with the first run of a background job. */
const patience = Date.now() + 30_000;
let has = await exported(shop);
const missing = () => asked.filter(({ metric }) => !(metric in elsewhere) && !has.has(metric));
while (missing().length > 0 && Date.now() < patience) {
  await new Promise((resolve) => setTimeout(resolve, 500));
  has = await exported(shop);
}
const code = sources('crates').join('\n');
for (const { name, metric, labels } of asked) {
  if (metric in elsewhere) {
    check(elsewhere[metric] === null || code.includes(`"${metric}"`), `${name} names ${metric}, which is not in the code`);
    continue;
  }
  check(has.has(metric), `${name} names ${metric}, which the shop does not export`);
  for (const label of labels.filter((label) => !added.includes(label))) {
    check(!has.has(metric) || has.get(metric).has(label), `${name}: ${metric} has no label ${label}`);
  }
}

// --- what Prometheus says --------------------------------------------------------------------------------------------

const promtool = process.env.PROMTOOL ?? join(root, '.tools/prometheus/promtool');
function says(...args) {
  try {
    execFileSync(promtool, args, { encoding: 'utf8', stdio: 'pipe' });
    return { fine: true, text: '' };
  } catch (error) {
    return { fine: false, text: `${error.stdout}${error.stderr}` };
  }
}

let notRun = '';
if (!says('--version').fine) {
  notRun = "test-alerts: not run: promtool is not there; Debian's package prometheus has it";
} else {
  const work = mkdtempSync(join(tmpdir(), 'driveline-alerts-'));
  try {
    for (const [command, file] of [
      ['rules', 'alerts.yml'],
      ['config', 'prometheus.yml'],
    ]) {
      const { fine, text } = says('check', command, join(root, 'deploy/prometheus', file));
      check(fine, `promtool check ${command}: ${text}`);
    }
    const { fine, text } = says('test', 'rules', join(root, 'deploy/prometheus/alerts.test.yml'));
    check(fine, `promtool test rules: ${text}`);
    // The dashboard's queries can be read.
    const records = queries.map(({ expr }, nth) => {
      const query = expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*');
      return `      - { record: "query:${nth}", expr: ${JSON.stringify(query)} }`;
    });
    writeFileSync(join(work, 'queries.yml'), `groups:\n  - name: queries\n    rules:\n${records.join('\n')}\n`);
    const queried = says('check', 'rules', join(work, 'queries.yml'));
    check(queried.fine, `the dashboard: ${queried.text}`);
    // An alert that never fires, and one that always does, have to be noticed: otherwise its tests test nothing.
    const [head, ...cases] = tests.split(/^(?= {2}- name: )/m);
    for (const { name, text, expr } of alerts) {
      const own = cases.filter((one) => [name, `${name} is silent`].includes(one.match(/- name: (.*)/)[1]));
      writeFileSync(join(work, 'alerts.test.yml'), head + own.join(''));
      for (const broken of ['vector(1) > 1', 'vector(1)']) {
        const planted = text.replace(/^ {8}expr: (?:\|\n(?: {10}.*\n)+|.*\n)/m, `        expr: ${broken}\n`);
        writeFileSync(join(work, 'alerts.yml'), rules.replace(text, () => planted));
        check(planted !== text && expr && !says('test', 'rules', join(work, 'alerts.test.yml')).fine, `the tests accept ${name} as ${broken}`);
      }
    }
  } finally {
    rmSync(work, { recursive: true });
  }
}

for (const failure of failures) console.log(`test-alerts: ${failure}`);
console.log(`  ${passed} passed`);
if (failures.length > 0) console.log(`  ${failures.length} failed`);
if (notRun) console.log(notRun);
process.exitCode = failures.length > 0 ? 1 : 0;
