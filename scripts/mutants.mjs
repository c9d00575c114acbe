#!/usr/bin/env node
// Changes the rules and the use cases, one small fault at a time (cargo-mutants), and looks whether their own tests notice. Of what is
// about money, stock, roles and settlement every fault has to be noticed; of the rest nine in ten. What the tests beside a use case
// miss is given to the simulation and the model before it counts.
//
//   scripts/mutants.mjs [FILE...]      only these files; MUTANTS_OF=8 tries every eighth of what is not critical, from SEED on
//
// Before it judges, it has to find that tests are missing: once in recorded outcomes, and once where no test is run at all.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { critical, isCritical, judge, outcomes, plantedVerdicts } from './mutants/verdict.mjs';

const root = new URL('..', import.meta.url).pathname;
const folder = join(root, 'target/mutants');
const program = join(root, '.tools/mutants/bin/cargo-mutants');
const every = Number(process.env.MUTANTS_OF ?? 1);
const from = Number(process.env.SEED ?? 1) % every;

/** Each package with the test programs that are tried one after the other, on what the ones before have missed. */
const packages = {
  'driveline-domain': [['--lib']],
  'driveline-application': [['--lib'], ['--test=simulation', '--test=model']],
};

// Nothing is optimised: a mutant is compiled once, and its tests run for a second. What is wrong shows in few cases of a property, and
// what only many would show counts as missed.
const build = ['--config', 'profile.dev.package.driveline-application.opt-level=0'];
const environment = { CARGO_TARGET_DIR: folder, CARGO_PROFILE_DEV_DEBUG: 'false', CARGO_INCREMENTAL: '1', SIM_HISTORIES: '500', PROPTEST_CASES: '16' };

/** Runs cargo-mutants, with its outcomes in a folder of their own; `tests` names what `cargo test` runs. */
function mutate(name, place, tests, more, testArguments = []) {
  const output = join(folder, place);
  const cargo = [...tests, ...build].flatMap((word) => ['-C', word]);
  const options = ['--package', name, '--output', output, '--no-shuffle', '--colors', 'never', ...cargo];
  const words = ['mutants', ...options, ...more, ...(testArguments.length ? ['--', '--', ...testArguments] : [])];
  const { status, stdout, stderr } = spawnSync(program, words, {
    cwd: root,
    env: { ...process.env, ...environment },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  // 0: all caught, 2: some missed, 3: some timed out. All else is no result.
  if (![0, 2, 3].includes(status)) throw new Error(`cargo-mutants ended with ${status}:\n${(stdout + stderr).slice(-4000)}`);
  const written = join(output, 'mutants.out/outcomes.json');
  return existsSync(written) ? outcomes(JSON.parse(readFileSync(written, 'utf8'))) : [];
}

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** The outcomes of some mutants of a package, after all of its test programs. */
function tried(name, place, which) {
  const found = new Map();
  for (const [step, tests] of packages[name].entries()) {
    const missed = [...found.values()].filter(({ outcome }) => outcome === 'missed').map((one) => one.name);
    if (step > 0 && missed.length === 0) break;
    const options = step === 0 ? which : missed.flatMap((one) => ['--re', `^${escaped(one)}$`]);
    for (const one of mutate(name, `${place}-${step}`, tests, options)) found.set(one.name, one);
  }
  return [...found.values()];
}

const files = (list) => list.flatMap((file) => ['--file', file]);
const of = (name) => critical.filter((file) => file.startsWith(`crates/${name.replace('driveline-', '')}/`));

/** A fault whose tests are taken away has to be missed, or nothing that is caught means anything. */
function noticesMissingTests() {
  const file = 'crates/domain/src/platform/money.rs';
  const options = ['--file', file, '--re', 'replace > with == in Money::from_cents', '--baseline', 'skip', '--timeout', '60'];
  const found = mutate('driveline-domain', 'planted', ['--lib'], options, ['--exact', 'no_test_at_all']);
  return found.length > 0 && judge(found).complaints.some((one) => one.includes('Money::from_cents'));
}

execFileSync(join(root, 'scripts/bootstrap'), ['mutants'], { stdio: 'inherit' });
mkdirSync(folder, { recursive: true });
const complaints = [...plantedVerdicts(), ...critical.filter((file) => !existsSync(join(root, file))).map((file) => `there is no ${file}`)];
if (!noticesMissingTests()) complaints.push('a fault was not missed though no test was run');

const asked = process.argv.slice(2);
const all = [];
for (const name of Object.keys(packages)) {
  const here = asked.filter((file) => file.startsWith(`crates/${name.replace('driveline-', '')}/`));
  if (asked.length > 0) {
    if (here.length > 0) all.push(...tried(name, `${name}-asked`, files(here)));
    continue;
  }
  all.push(...tried(name, `${name}-critical`, files(of(name))));
  const rest = of(name).flatMap((file) => ['--exclude', file]);
  all.push(...tried(name, `${name}-rest`, [...rest, '--shard', `${from}/${every}`, '--sharding', 'round-robin']));
}

const verdict = judge(all);
for (const line of verdict.lines) console.log(line);
complaints.push(...verdict.complaints);
for (const { name } of all.filter(({ outcome, file }) => outcome === 'missed' && !isCritical(file))) console.log(`missed    ${name}`);
for (const complaint of complaints) console.error(`mutants: ${complaint}`);
rmSync(join(folder, 'debug/incremental'), { recursive: true, force: true });
process.exit(complaints.length === 0 ? 0 : 1);
