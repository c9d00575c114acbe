#!/usr/bin/env node
// Whether the judges of the long runs judge rightly, on given results and in a second: those of `make strength` and of its bars
// `mutants` and `soak`, and that of `make cluster`. Each has to let through what holds, and to find what is planted.
//
//   node scripts/lint-judges.mjs
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { plantedVerdicts } from './mutants/verdict.mjs';

const root = new URL('..', import.meta.url).pathname;

/** The judge of bench/soak.mjs, which measures as soon as it is imported: all of it before that, without what it imports. */
async function plantedLeaks() {
  const [judge, measures] = readFileSync(join(root, 'bench/soak.mjs'), 'utf8').split(/^const wrong = plantedLeaks\(\);$/m);
  if (measures === undefined) return ['where bench/soak.mjs begins to measure is not known'];
  const alone = `${judge.replace(/^(?:#!|import ).*$/gm, '')}\nexport { plantedLeaks };\n`;
  const { plantedLeaks: planted } = await import(`data:text/javascript,${encodeURIComponent(alone)}`);
  return planted();
}

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
  ...(await plantedLeaks()).map((one) => `bench/soak.mjs: ${one}`),
  ...saidBy(process.execPath, 'scripts/strength.mjs', '--try'),
  // Without the packages that are installed: it must not need any.
  ...saidBy('python3', '-S', '-B', 'scripts/cluster/recorded.py'),
];
for (const complaint of complaints) console.error(`lint-judges: ${complaint}`);
process.exit(complaints.length === 0 ? 0 : 1);
