#!/usr/bin/env node
// Runs targets of the Makefile in lanes, all of them even if one fails, and ends with the duration of each and a count:
// every test that a target reports, or the target itself if it reports none. A target that prints "PART: not run: WHY"
// counts as skipped. What a target prints is kept in target/check/PART.log, and shown if it fails.
//
//   scripts/check.mjs PART...
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { availableParallelism, setPriority } from 'node:os';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const logs = join(root, 'target/check');
/** What `make programs` writes; with it in BUILT nothing is built again (scripts/run-tests.mjs). */
const built = join(root, 'target/programs.json');

/*
 * needs   run before, even if nobody asked for it
 * after   if it runs as well, run before: it holds Cargo's lock, or makes what the part would make again
 * waits   mostly waits for clocks, so it takes no lane; one after another, for they do not only wait
 * times   measures how long answers take: it has the right of way on the processors, and no other beside it than patient
 *         parts
 * patient has no deadline of its own, so it may take the second lane beside a part that `times`
 *
 * Of the parts that may start, the one that stands first here does: what others need, then what runs beside little else,
 * then the longest. One that `times` is passed by those that find a free lane, unless it comes when none is taken.
 *
 * Parts that run the program only, and no test program, are content with what their own targets build.
 */
const plan = {
  'third-party': {},
  client: {},
  programs: { needs: ['client', 'third-party'] },
  'test-http': { needs: ['programs'], times: true },
  'previous-program': { needs: ['programs'], patient: true },
  'test-simulation': { needs: ['programs'], patient: true },
  'test-outages': { needs: ['programs'], after: ['test-http'], waits: true, times: true },
  'test-mail': { needs: ['client'], after: ['programs', 'test-http', 'test-outages'], waits: true, times: true },
  'test-browser': { needs: ['client'], after: ['programs'] },
  'test-api': { needs: ['client'], after: ['programs'] },
  'test-store': { needs: ['programs'] },
  'test-search': { needs: ['programs'] },
  lint: { needs: ['client'], after: ['programs'] },
  'test-adapters': { needs: ['programs'] },
  'test-client': {},
  'test-upgrade': { needs: ['previous-program'], times: true },
  'test-serve': { needs: ['client'], after: ['programs'], times: true },
  'test-stripe': { needs: ['client'], after: ['programs'] },
  'openapi-check': { needs: ['client'], after: ['programs'] },
  'test-unit': { needs: ['programs'] },
  'test-vin': { needs: ['programs'] },
  'test-invoices': { needs: ['programs'] },
  'test-alerts': { needs: ['client'], after: ['programs'] },
};

const named = process.argv.slice(2);
const parts = new Map();
function add(name) {
  if (parts.has(name)) return;
  const { needs = [], after = [], waits = false, times = false, patient = false } = plan[name] ?? {};
  for (const need of needs) add(need);
  parts.set(name, { name, needs, after, waits, times, patient, state: 'due' });
}
for (const name of named) add(name);
const places = Object.keys(plan);
const place = ({ name }) => (places.includes(name) ? places.indexOf(name) : places.length);
const line = [...parts.values()].sort((one, other) => place(one) - place(other));

/** Sums the numbers before a word in the summary lines of the test programs, Vitest and Playwright. */
function count(text, word) {
  const summaries = [
    new RegExp(`^test result: .* (\\d+) ${word};`, 'gm'),
    new RegExp(`^ *Tests  .*\\b(\\d+) ${word}\\b`, 'gm'),
    new RegExp(`^  (\\d+) ${word}(?: \\([\\d.]+(?:ms|s|m|h)\\))?$`, 'gm'),
  ];
  return summaries
    .flatMap((summary) => [...text.matchAll(summary)])
    .reduce((sum, [, number]) => sum + Number(number), 0);
}

/** The tests that failed, as the test programs, Vitest and Playwright list them. */
function failures(text) {
  const lists = [/^---- (.+) stdout ----$/gm, /^ FAIL  (.+)$/gm, /^ {4}((?:\[\w+\] › )?e2e\/.+?)[ ─]*$/gm, /^(run-tests: .+)$/gm];
  return [...new Set(lists.flatMap((list) => [...text.matchAll(list)].map(([, name]) => name)))];
}

/** What came of a part. */
function judge(name, status, output) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
  const text = output.replace(/\x1b\[[0-9;]*m/g, '');
  let [passed, failed] = [count(text, 'passed'), count(text, 'failed')];
  let skipped = count(text, 'skipped') + count(text, 'ignored');
  const notRun = text.match(/^.*\bnot run\b.*$/gm) ?? [];
  if (status !== 0) {
    // A target that failed before, beside or after its tests has at least one failure.
    failed = Math.max(failed, 1);
    return { verdict: 'FAILED', passed, failed, skipped, notRun, failures: failures(text) };
  }
  if (notRun.some((one) => one.startsWith(`${name}: not run: `))) {
    skipped += 1;
    return { verdict: 'not run', passed, failed, skipped, notRun };
  }
  if (passed + failed === 0) passed = 1;
  // Playwright lists them as it lists failures.
  const flaky = count(text, 'flaky');
  return { verdict: 'passed', passed: passed + flaky, failed, skipped, notRun, flaky, retried: flaky ? failures(text) : [] };
}

const seconds = (since) => Math.round((performance.now() - since) / 1000);
const running = new Set();

function run(part) {
  const { name } = part;
  const log = join(logs, `${name}.log`);
  const file = openSync(log, 'w');
  const began = performance.now();
  const environment = { ...process.env };
  if (parts.get('programs')?.state === 'passed') environment.BUILT = built;
  console.log(`--- ${name}`);
  part.state = 'running';
  const child = spawn(process.env.MAKE ?? 'make', ['--no-print-directory', name], {
    cwd: root,
    env: environment,
    stdio: ['ignore', file, file],
  });
  if (!part.times && child.pid) setPriority(child.pid, 10);
  running.add(child);
  child.on('error', (error) => finish(1, `${error.message}\n`));
  child.on('close', (status) => finish(status ?? 1, ''));
  function finish(status, more) {
    if (!running.delete(child)) return;
    closeSync(file);
    const output = readFileSync(log, 'utf8') + more;
    Object.assign(part, judge(name, status, output), { took: seconds(began) });
    part.state = part.verdict === 'FAILED' ? 'failed' : 'passed';
    console.log(`=== ${name}: ${part.verdict}, ${part.took} s`);
    if (part.state === 'failed') console.log(`${output.trimEnd()}\n=== end of ${name}`);
    else for (const line of part.notRun) console.log(line);
    proceed();
  }
}

const lanes = Math.max(2, availableParallelism());
const over = ({ state }) => state === 'passed' || state === 'failed';
const others = (names) => names.flatMap((name) => parts.get(name) ?? []);

function proceed() {
  if (stopped) return;
  for (const part of line) {
    if (part.state !== 'due') continue;
    const broken = others(part.needs).find(({ state }) => state === 'failed');
    if (broken) {
      Object.assign(part, { state: 'failed', verdict: 'FAILED', passed: 0, failed: 1, skipped: 0, took: 0 });
      console.log(`=== ${part.name}: FAILED, because ${broken.name} failed`);
      // Whoever needs this one stands later in the line.
      continue;
    }
    if (![...others(part.needs), ...others(part.after)].every(over)) continue;
    const busy = line.filter(({ state, waits }) => state === 'running' && !waits);
    const alone = part.times ? busy.every(({ patient }) => patient) : part.patient || !busy.some(({ times }) => times);
    const free = busy.length < lanes && alone;
    if (part.waits || free) run(part);
  }
  if (line.every(over)) report();
}

function report() {
  const sum = (what) => line.reduce((total, part) => total + part[what], 0);
  const row = ({ name, verdict, took, passed, failed }) =>
    `${name.padEnd(22)} ${verdict.padEnd(7)} ${String(took).padStart(6)} s ${String(passed).padStart(7)} passed ${String(failed).padStart(5)} failed`;
  console.log(`\n${line.map(row).join('\n')}\n`);
  console.log(`${seconds(0)} s in ${lanes} lanes; ${sum('took')} s one after the other`);
  // The list of a long output is what is read first, and at times the only thing that is kept of it.
  for (const { name, failures = [] } of line) for (const one of failures) console.log(`FAILED in ${name}: ${one}`);
  for (const { name, retried = [] } of line) for (const one of retried) console.log(`passed at the second try in ${name}: ${one}`);
  const flaky = line.reduce((total, { flaky = 0 }) => total + flaky, 0);
  console.log(`${sum('passed')} passed (${flaky} of them at the second try), ${sum('failed')} failed, ${sum('skipped')} skipped`);
  process.exitCode = sum('failed') === 0 ? 0 : 1;
}

let stopped = false;
for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  process.on(signal, () => {
    stopped = true;
    process.exitCode = status;
    for (const child of running) child.kill('SIGTERM');
  });
}

mkdirSync(logs, { recursive: true });
proceed();
