#!/usr/bin/env node
// Runs the long form of what must not break: kills, stops, races, histories and hostile calls, many times over. Each bar
// prints its seed and its counts and ends with a verdict; each has a planted fault that it has to find, or it is no bar.
// docs/testing.md says which of them `make check` runs in a short form.
//
//   scripts/strength.mjs [BAR...]   exits 0 if all hold, 1 if one is broken, and 3 if one of those named was not run, or none was
//   scripts/strength.mjs --try      whether it notices a bar that is broken and one that was not run; it does so before each run
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const logs = join(root, 'target/strength');
const program = 'target/debug/driveline';
const tests = 'scripts/run-tests.mjs';
const onPostgres = (...words) => [program, 'postgres', '--', tests, ...words];
const seed = process.env.SEED ?? '1';

const bars = {
  model: {
    what: 'orders, payments and stock, every order of events within bounds',
    planted: 'seven flaws, each found',
    command: [tests, 'driveline-application/model', '--', '--nocapture'],
  },
  histories: {
    what: '100,000 random histories of the whole application',
    planted: 'bugs in the stores and the use cases, each found by name',
    command: [tests, 'driveline-application/simulation'],
    env: { SIM_HISTORIES: '100000' },
  },
  kills: {
    what: '50 x kill -9 of the shop while checkouts are bought and paid',
    planted: 'an order that loses its payment',
    command: onPostgres('driveline/http', '--', 'crash::', '--nocapture'),
    env: { KILLS: '50' },
  },
  stops: {
    what: '20 x immediate stop of Postgres under load',
    planted: 'an acknowledged order that is deleted',
    command: onPostgres('driveline/database', '--', 'stops::', '--nocapture'),
    env: { STOPS: '20' },
  },
  exhausted: {
    what: 'a minute in which the database answers nothing, and one in which locks hold every connection',
    planted: 'an answer and a sign of life after six seconds, and a 503 without Retry-After',
    command: onPostgres('driveline/database', '--', 'exhausted::', '--nocapture', '--test-threads=1'),
    env: { EXHAUSTED_SECONDS: '60' },
  },
  'full-disk': {
    what: 'no room for the tables, and none for the log, while orders are placed (takes root)',
    planted: 'an acknowledged order that is deleted',
    command: onPostgres('driveline/database', '--', 'disk::', '--nocapture', '--test-threads=1'),
    env: { FULL_DISK: '1' },
  },
  races: {
    what: 'three copies: 500 buyers of 100 lots, random moves, cancel against pay, twenty admins; 20 times each',
    planted: 'a database that sells lots twice, and one that demotes everybody',
    command: onPostgres('driveline/database', '--', 'races::', '--nocapture', '--test-threads=1'),
    env: { RUNS: '20', SEED: seed, BUYERS: '500' },
  },
  bounds: {
    what: '1,000 slow connections, 100 bodies of 100 MiB, 20 pictures of 40 megapixels',
    planted: 'a shop with too few places for slow connections, a server that reads what it refuses, and memory that has to be seen growing',
    command: onPostgres('driveline/http', '--', 'bounds::', '--nocapture', '--test-threads=1'),
    env: { BOUNDS: 'held' },
  },
  budgets: {
    what: 'what one visitor may use up, each kind spent for ten seconds beside a bystander',
    planted: 'a limit on e-mails that is too high',
    command: onPostgres('driveline/http', '--', 'budgets::', '--nocapture', '--test-threads=1'),
    env: { BUDGETS: 'held' },
  },
  takeovers: {
    what: 'every sequence of six steps of a stranger, the owner of an address and an operator',
    planted: 'sessions that a take-over does not end, and a password that it leaves',
    command: onPostgres('driveline/bin', '--', 'takeovers::', '--nocapture'),
    env: { TAKEOVER_STEPS: '6' },
  },
  hang: {
    what: 'a payment provider that hangs for 30 s, four times: the slowest of a hundred of other routes is less than a fifth slower',
    planted: 'a route that waits for the provider',
    command: ['npm', '--prefix', 'frontend', 'run', '--silent', 'drill', '--', 'hang.spec.ts'],
    env: { DRILL_SECONDS: '30', DRILL_ROUNDS: '4', DRILL_HELD: '1' },
  },
  overload: {
    what: 'twice the capacity for OVERLOAD_SECONDS (600): what is accepted is answered in time, the rest refused at once',
    planted: 'a shop that refuses nobody',
    // Load and shop share the machine with nobody.
    command: ['scripts/under-load', 'overload', process.env.OVERLOAD_SECONDS ?? '600'],
  },
  soak: {
    what: 'half of the capacity for SOAK_SECONDS (3600): file descriptors, connections and memory stay, and old records go',
    planted: 'visitors who connect and never leave, and recorded leaks of each kind',
    command: ['scripts/under-load', 'soak', process.env.SOAK_SECONDS ?? '3600'],
  },
  api: {
    what: 'whatever the API description allows and forbids, as three roles, from three seeds',
    planted: 'an answer that is not described',
    command: ['sh', '-c', 'for seed in 1 2 3; do scripts/with-demo "$0" scripts/test-api "$seed" 20 || exit; done', program],
  },
  fuzz: {
    what: 'every parser of what strangers send, led by the code that an input reaches; FUZZ_SECONDS (600) each',
    planted: 'a text that is cut within a character, and a number that is not written as it was read',
    command: ['nice', '-n', '19', 'scripts/fuzz.mjs'],
  },
  sqlmap: {
    what: 'every text that three roles can send, in paths, queries, bodies and headers, tried by sqlmap',
    planted: 'a server that puts a path, a query and a body into its SQL',
    command: ['scripts/with-demo', program, 'scripts/test-sqlmap'],
  },
  mutants: {
    what: 'the rules and the use cases, a fault in one line at a time; MUTANTS_OF=8 tries every eighth of what is not critical',
    planted: 'outcomes with faults in them, and a fault without any test',
    command: ['nice', '-n', '19', 'scripts/mutants.mjs'],
  },
};

/** What a program or a test prints instead of a count, if it lacks what it needs ("test-api: not run: ..."), and passes all the same. */
const NOT_RUN = /(?<!\bdo(?:es)? )\bnot run: .+/g;

/** What has become of a bar, and why it was not run. What ends with 0 holds only if nothing of it was left out. */
function judge(status, output) {
  if (status !== 0) return { verdict: 'BROKEN' };
  const left = [...new Set(output.match(NOT_RUN) ?? [])];
  if (left.length > 0) return { verdict: 'NOT RUN', why: left.map((one) => one.replace('not run: ', '').trim()).join('; ') };
  // A name that no test has chooses none, and a program without tests passes.
  const tests = [...output.matchAll(/^.*test result: ok\. (\d+) passed;/gm)].map(([, passed]) => Number(passed));
  if (tests.length > 0 && tests.every((passed) => passed === 0)) return { verdict: 'NOT RUN', why: 'no test has its name' };
  return { verdict: 'holds' };
}

/** How the whole command ends. Of bars that nobody named some may be left out, but not all. */
function codeOf(results, named) {
  const have = (verdict) => results.some((one) => one.verdict === verdict);
  if (have('BROKEN')) return 1;
  return have('holds') && !(named && have('NOT RUN')) ? 0 : 3;
}

function run(name, { command, env = {} }) {
  const began = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command[0], command.slice(1), { cwd: root, env: { ...process.env, ...env } });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        output += data;
      });
    }
    // A program that is not there.
    child.on('error', (error) => {
      output += `${error.message}\n`;
    });
    child.on('close', (status) => {
      writeFileSync(join(logs, `${name}.log`), output);
      const seconds = Math.round((performance.now() - began) / 1000);
      resolve({ name, seconds, output, ...judge(status, output) });
    });
  });
}

/** Bars that end in each way, run as all others are; those that are judged wrongly are returned. */
async function plantedBars() {
  const says = (stream, words, status = 0) => `process.${stream}.write(${JSON.stringify(`${words}\n`)}); process.exitCode = ${status}`;
  const missing = 'not run: pg_basebackup is not installed (apt-get install postgresql)';
  const planted = [
    ['a test that passes', says('stdout', 'test result: ok. 2 passed; 0 failed;'), 'holds'],
    ['a program without its tool', says('stdout', 'test-api: not run: schemathesis is not there'), 'NOT RUN'],
    ['a test without its tool', `${says('stdout', '.')}; ${says('stderr', missing)}; ${says('stdout', 'test result: ok. 1 passed; 0 failed;')}`, 'NOT RUN'],
    ['a name that no test has', says('stdout', 'test result: ok. 0 passed; 0 failed;'), 'NOT RUN'],
    ['a failure', says('stdout', `${missing}\ntest result: FAILED. 1 passed; 1 failed;`, 1), 'BROKEN'],
  ];
  const wrong = [];
  for (const [what, words, expected] of planted) {
    const { verdict } = await run('planted', { command: [process.execPath, '-e', words] });
    if (verdict !== expected) wrong.push(`${what} is judged as "${verdict}", not as "${expected}"`);
  }
  const { verdict } = await run('planted', { command: [join(root, 'no/such/program')] });
  if (verdict !== 'BROKEN') wrong.push(`a program that is not there is judged as "${verdict}"`);
  const ended = [
    [['holds', 'holds'], true, 0],
    [['holds', 'NOT RUN'], false, 0],
    [['holds', 'NOT RUN'], true, 3],
    [['NOT RUN'], false, 3],
    [['holds', 'NOT RUN', 'BROKEN'], true, 1],
  ];
  for (const [verdicts, named, expected] of ended) {
    const code = codeOf(verdicts.map((one) => ({ verdict: one })), named);
    if (code !== expected) wrong.push(`${verdicts.join(', ')}${named ? ', each named,' : ''} ends with ${code}, not with ${expected}`);
  }
  return wrong;
}

mkdirSync(logs, { recursive: true });
const overlooked = await plantedBars();
for (const what of overlooked) console.error(`strength: the judge errs: ${what}`);
if (overlooked.length > 0) process.exit(1);
const asked = process.argv.slice(2);
if (asked.includes('--try')) process.exit(0);

const wanted = asked.length > 0 ? asked : Object.keys(bars);
const unknown = wanted.filter((name) => !bars[name]);
if (unknown.length) {
  console.error(`strength: no such bar: ${unknown.join(', ')} (${Object.keys(bars).join(', ')})`);
  process.exit(2);
}
const results = [];
for (const name of wanted) {
  console.log(`--- ${name}: ${bars[name].what} (seed ${seed})`);
  const result = await run(name, bars[name]);
  results.push(result);
  // What a bar counts stands in lines of its own; what it prints beside them is in its log.
  const counts = result.output.split('\n').filter((line) => /\b(states|stops|cancelled|admins|orders|cases|passed|histories|ms|MiB|pictures|inputs|texts|mutants|descriptors|answered)\b/.test(line));
  console.log(counts.slice(-30).join('\n'));
  if (result.verdict === 'BROKEN') console.log(result.output.trimEnd().split('\n').slice(-60).join('\n'));
}
console.log();
for (const { name, verdict, seconds, why } of results) {
  console.log(`${name.padEnd(10)} ${verdict.padEnd(7)} ${String(seconds).padStart(6)} s   ${why ?? `planted: ${bars[name].planted}`}`);
}
process.exit(codeOf(results, asked.length > 0));
