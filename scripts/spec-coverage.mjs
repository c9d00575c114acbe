#!/usr/bin/env node
// Checks the pages that say what is promised and which tests prove it: each line of their tables names at least one test, and
// each test that it names exists; a scenario of `make cluster` is a test as well. What a line of docs/spec-coverage.md quotes is
// in a file of the tests that it names, and each permission has a browser journey of its own.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const specification = 'docs/spec-coverage.md';
const pages = [specification, 'docs/security.md', 'docs/reliability.md'];

/** The table of `make cluster`, whose lines are its scenarios; the run refuses to start if one of them is not run. */
const scenarios = 'scripts/cluster/bars.py';

/** How the pages abbreviate folders. */
const folders = {
  'e2e/': 'frontend/e2e/',
  'client/': 'frontend/src/',
  'http/': 'crates/app/tests/http/',
  'database/': 'crates/app/tests/database/',
  'cluster/': 'scripts/cluster/',
};

const complaints = [];

/** A pattern for a title as it is written in the source, whose `${...}`, `%s` and `$name` stand for anything. */
function patternOf(title) {
  const escaped = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const open = escaped.replace(/\\\$\\\{.*?\\\}|%[sdifjo]|\\\$\w+/g, '.+');
  return new RegExp(`^${open}$`);
}

const unescape = (text) => text.replace(/\\(['"`])/g, '$1');

const read = new Map();
/** The text of a test file, and the titles of its tests; null where there is no such file. */
function suite(path) {
  if (!read.has(path)) {
    const file = join(root, path);
    read.set(path, existsSync(file) ? parse(path, readFileSync(file, 'utf8')) : null);
  }
  return read.get(path);
}

function parse(path, text) {
  const titles = [];
  if (path.endsWith('.rs')) {
    const test = /#\[(?:\w+::)?test[^\]]*\]\s*(?:#\[[^\]]*\]\s*)*(?:pub )?(?:async )?fn (\w+)/g;
    for (const [, name] of text.matchAll(test)) titles.push(new RegExp(`^${name}$`));
  } else if (path === scenarios) {
    for (const [, name] of text.matchAll(/^ {4}"([\w-]+)": Bar\(/gm)) titles.push(new RegExp(`^${name}$`));
  } else {
    const test = /\b(?:test|it)(?:\.each\((?:[^()]|\([^()]*\))*\))?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/gs;
    for (const [, , title] of text.matchAll(test)) titles.push(patternOf(unescape(title)));
  }
  return { text: unescape(text).replace(/\\n/g, '\n'), titles };
}

/** Every part of the quotation that is not a placeholder in braces stands in one of the files. */
function stands(quotation, files) {
  const parts = quotation.split(/\{[^}]*\}/).map((part) => part.replaceAll('\\n', '\n').trim());
  return files.some(({ text }) => parts.every((part) => text.includes(part)));
}

let lines = 0;
let proofs = 0;

/** The lines of a page's tables whose last column is headed `Proved by`. */
function* promises(page) {
  let isProof = false;
  for (const [index, row] of readFileSync(join(root, page), 'utf8').split('\n').entries()) {
    const cells = row.startsWith('|') ? row.slice(1, -1).split(/(?<!\\)\|/).map((cell) => cell.trim()) : [];
    if (cells.length === 0) isProof = false;
    else if (cells.at(-1) === 'Proved by') isProof = true;
    else if (isProof && !/^\|[-| :]+\|$/.test(row)) yield { line: index + 1, what: cells[0], proof: cells.at(-1) };
  }
}

function check(page, { line, what, proof }) {
  const complain = (why) => complaints.push(`${page}:${line}: ${why}`);
  lines += 1;
  const files = [];
  for (const entry of proof.split('<br>').filter(Boolean)) {
    const found = /^`([^`]+)` › (.+)$/.exec(entry.trim());
    if (!found) {
      complain(`not of the form \`file\` › test: ${entry}`);
      continue;
    }
    proofs += 1;
    const [, short, title] = found;
    const prefix = Object.keys(folders).find((each) => short.startsWith(each));
    const path = prefix ? folders[prefix] + short.slice(prefix.length) : short;
    const tests = suite(path);
    if (!tests) complain(`there is no ${path}`);
    else if (!tests.titles.some((each) => each.test(title))) {
      complain(`${path} has no test "${title}"`);
    } else files.push(tests);
  }
  if (files.length === 0) complain(`nothing proves: ${what}`);
  if (page !== specification) return;
  for (const [, quotation] of what.matchAll(/`([^`]+)`/g)) {
    if (files.length > 0 && !stands(quotation, files)) {
      complain(`none of the files named has "${quotation}"`);
    }
  }
}

for (const page of pages) {
  const before = lines;
  for (const promise of promises(page)) check(page, promise);
  if (lines === before) complaints.push(`${page}: there is no table`);
}

const access = readFileSync(join(root, 'crates/domain/src/accounts/access.rs'), 'utf8');
const all = /pub const ALL: [^=]+= \[([^;]*)\];/.exec(access)?.[1] ?? '';
const permissions = [...all.matchAll(/Self::(\w+)/g)].map(([, name]) =>
  name.replace(/(?!^)[A-Z]/g, (capital) => `-${capital}`).toLowerCase(),
);
const journeys = readdirSync(join(root, 'frontend/e2e/permissions'))
  .filter((name) => name.endsWith('.spec.ts'))
  .map((name) => name.slice(0, -'.spec.ts'.length));
if (permissions.length === 0) complaints.push('crates/domain/src/accounts/access.rs: no permission found');
for (const permission of permissions) {
  if (!journeys.includes(permission)) {
    complaints.push(`frontend/e2e/permissions/${permission}.spec.ts: missing`);
  }
}
for (const journey of journeys) {
  if (!permissions.includes(journey)) {
    complaints.push(`frontend/e2e/permissions/${journey}.spec.ts: there is no such permission`);
  }
}

for (const complaint of complaints) console.error(complaint);
if (complaints.length > 0) process.exit(1);
console.log(`${lines} promises, ${proofs} proofs, ${permissions.length} permissions`);
