#!/usr/bin/env node
// Fuzzes every parser of what strangers send, led by which code an input reaches (LLVM's libFuzzer), each for as long as
// FUZZ_SECONDS says (600). What it finds interesting is kept in target/fuzz and is where the next run begins. Two planted faults
// have to be found first.
//
//   scripts/fuzz.mjs [TARGET...]
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const folder = join(root, 'target/fuzz');
const seconds = Number(process.env.FUZZ_SECONDS ?? 600);
const seed = process.env.SEED ?? '1';
/** Of what one input may take. The short run (crates/fuzz) has bounds for each target; these keep a busy machine alive. */
const limits = ['-timeout=120', '-rss_limit_mb=2048', '-malloc_limit_mb=1024', '-max_len=65536'];
const planted = ['planted-cut', 'planted-law'];

function build() {
  const example = (name, ...more) => ['build', '--quiet', '--locked', '--workspace', '--example', name, ...more];
  const run = (args, env) => execFileSync('cargo', args, { cwd: root, env: { ...process.env, ...env }, stdio: 'inherit' });
  // As the tests are built, so that nothing is built twice.
  run(example('samples'), { RUSTC_WORKSPACE_WRAPPER: 'clippy-driver' });
  run(example('guided', '--features', 'driveline-fuzz/guided'), {
    RUSTC_WORKSPACE_WRAPPER: join(root, 'scripts/rustc-for-fuzzing'),
  });
}

/** Runs one target; its counts and what it found. */
function fuzz(name, most) {
  const [corpus, found] = ['corpus', 'found'].map((kind) => join(folder, kind, name));
  for (const one of [corpus, found]) mkdirSync(one, { recursive: true });
  const samples = join(folder, 'samples', name);
  const dictionary = `${samples}.dict`;
  const words = readFileSync(dictionary).length > 0 ? [`-dict=${dictionary}`] : [];
  const options = [`-max_total_time=${most}`, `-seed=${seed}`, `-artifact_prefix=${found}/`, '-print_final_stats=1'];
  const before = readdirSync(found).length;
  const { status, stderr } = spawnSync(join(root, 'target/debug/examples/guided'), [...options, ...limits, ...words, corpus, samples], {
    cwd: root,
    env: { ...process.env, FUZZ_TARGET: name },
    encoding: 'utf8',
    maxBuffer: 1 << 28,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const number = (pattern) => Number([...stderr.matchAll(pattern)].at(-1)?.[1] ?? 0);
  return {
    broken: status !== 0,
    // With a crash there are no statistics, only the count of the last line.
    inputs: number(/^stat::number_of_executed_units: (\d+)/gm) || number(/^#(\d+)\t/gm),
    covered: number(/ cov: (\d+) /g),
    kept: number(/ corp: (\d+)\//g),
    more: readdirSync(found).length - before,
    said: stderr.trimEnd().split('\n').slice(-40).join('\n'),
  };
}

build();
mkdirSync(join(folder, 'samples'), { recursive: true });
const known = execFileSync(join(root, 'target/debug/examples/samples'), [join(folder, 'samples')], { encoding: 'utf8' })
  .trim()
  .split('\n');
const all = known.filter((name) => !name.startsWith('planted-'));
const wanted = process.argv.slice(2).length ? process.argv.slice(2) : all;
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length) {
  console.error(`fuzz: no such target: ${unknown.join(', ')} (${all.join(', ')})`);
  process.exit(2);
}

const complaints = [];
for (const name of planted) {
  const { broken, inputs } = fuzz(name, 60);
  console.log(`${name.padEnd(18)} ${broken ? 'found' : 'NOT FOUND'} after ${inputs} inputs`);
  if (!broken) complaints.push(`the fault of ${name} was not found`);
}
let sum = 0;
for (const name of wanted) {
  const { broken, inputs, covered, kept, said } = fuzz(name, seconds);
  sum += inputs;
  console.log(`${name.padEnd(18)} ${broken ? 'BROKEN' : 'holds '} ${String(inputs).padStart(10)} inputs, ${covered} edges, ${kept} kept`);
  if (broken) {
    complaints.push(`${name} is broken by what is in target/fuzz/found/${name}`);
    console.log(said);
  }
}
console.log(`${sum} inputs of ${wanted.length} targets, ${seconds} s each`);
for (const complaint of complaints) console.error(`fuzz: ${complaint}`);
process.exit(complaints.length === 0 ? 0 : 1);
