#!/usr/bin/env node
// Whether the jobs of the CI workflow run every part of `make check`, each in one job.
//
//   node scripts/ci-parts.mjs
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const words = (text) => text.trim().split(/\s+/);

const makefile = readFileSync(join(root, 'Makefile'), 'utf8');
const workflow = readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8');
const wanted = words(/^CHECKS := (.*)$/m.exec(makefile)?.[1] ?? '');
const found = [...workflow.matchAll(/^ +parts: (.*)$/gm)].flatMap(([, parts]) => words(parts));

const complaints = [
  ...wanted.filter((part) => !found.includes(part)).map((part) => `no job runs ${part}`),
  ...found.filter((part) => !wanted.includes(part)).map((part) => `${part} is no part of make check`),
  ...found.filter((part, place) => found.indexOf(part) !== place).map((part) => `two jobs run ${part}`),
];
if (wanted.length < 10) complaints.push('the parts of make check cannot be read from the Makefile');
for (const complaint of complaints) console.error(`.github/workflows/ci.yml: ${complaint}`);
process.exit(complaints.length === 0 ? 0 : 1);
