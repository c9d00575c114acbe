#!/usr/bin/env node
// Whether the judges of the long runs judge rightly, on given results and in a second: those of `make strength` and of its bars
// `mutants` and `soak`, and that of `make cluster`. Each has to let through what holds, and to find what is planted.
//
//   node scripts/lint-judges.mjs
import { spawnSync } from 'node:child_process';
import { plantedLeaks } from '../bench/leaks.mjs';
import { plantedVerdicts } from './mutants/verdict.mjs';

const root = new URL('..', import.meta.url).pathname;

/** What a judge says that is a program of its own. */
function saidBy(command, ...words) {
  const { status, stderr, error } = spawnSync(command, words, { cwd: root, encoding: 'utf8' });
  if (error?.code === 'ENOENT') {
    console.log(`lint-judges: the judge of make cluster was not run: ${command} is not there`);
    return [];
  }
  return status === 0 ? [] : [stderr.trim() || `${words.join(' ')} ended with ${status}`];
}

const complaints = [
  ...plantedVerdicts().map((one) => `scripts/mutants: ${one}`),
  ...plantedLeaks().map((one) => `bench/leaks.mjs: ${one}`),
  ...saidBy(process.execPath, 'scripts/strength.mjs', '--try'),
  // Without the packages that are installed: it must not need any.
  ...saidBy('python3', '-S', '-B', 'scripts/cluster/recorded.py'),
];
for (const complaint of complaints) console.error(`lint-judges: ${complaint}`);
process.exit(complaints.length === 0 ? 0 : 1);
