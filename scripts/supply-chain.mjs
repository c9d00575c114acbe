#!/usr/bin/env node
// Holds what the shop is made of against deny.toml: licences, forbidden packages, where packages come from, and that each is known by
// its hash before it is unpacked. No code of a package may run to install it, and CI runs no action but by the hash of its commit.
// Needs no network if everything has been fetched.
//
// First it has to find what is planted in copies of the lists: a check that finds nothing there proves nothing here.
//
//   node scripts/supply-chain.mjs
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const require = createRequire(join(root, 'frontend/package.json'));
const { parse } = require('smol-toml');
const satisfies = require('spdx-satisfies');
const text = (file) => readFileSync(join(root, file), 'utf8');

const registry = 'registry+https://github.com/rust-lang/crates.io-index';

/** Beside what may be shipped: what may help to build and test, because it becomes no part of the shop. */
const forTools = ['BlueOak-1.0.0', 'CC-BY-3.0', 'CC-BY-4.0', 'Python-2.0'];

/** Packages without a licence in their description that have one all the same. */
const unlabelled = { 'parse-cache-control': 'BSD-3-Clause, in its file LICENSE; only lighthouse uses it' };

/** Packages that would run a script to be installed, and why they work without. */
const scripted = {
  '@swc/core': 'only looks for its own binary, which comes as a package',
  msw: 'only copies a file into projects that ask for it',
  fsevents: 'for macOS only',
};

/** Packages of Python that are published as sources alone, whose own script builds them: for `make cluster` only. */
const fromSources = ['python-etcd', 'ydiff'];

/** Whether a licence is one of those that are allowed. Crates may write "MIT/Apache-2.0", from before there were expressions. */
function allowed(licence, list) {
  try {
    return satisfies(licence.replaceAll(/\s*\/\s*/g, ' OR '), list);
  } catch {
    return false;
  }
}

/** What is wrong with the crates: `metadata` as cargo prints it, `lock` the text of Cargo.lock. */
function crates({ deny, metadata, lock }) {
  const complaints = [];
  for (const { name, version, license, source, manifest_path: manifest } of metadata.packages) {
    const named = `${name} ${version}`;
    if (source === null) {
      if (!manifest.startsWith(metadata.workspace_root)) complaints.push(`${named} is of a folder outside of the project`);
      continue;
    }
    if (source !== registry) complaints.push(`${named} comes from ${source}`);
    if (!license || !allowed(license, deny.licenses.allow)) complaints.push(`${named} has the licence ${license}`);
    const ban = deny.bans.deny.find(({ crate }) => crate === name);
    if (ban) complaints.push(`${named} is forbidden: ${ban.reason}`);
  }
  for (const { name, version, source, checksum } of parse(lock).package) {
    if (source && !/^[0-9a-f]{64}$/.test(checksum ?? '')) complaints.push(`${name} ${version} has no checksum in Cargo.lock`);
  }
  return complaints;
}

/** What is wrong with the packages of npm: `packages` as package-lock.json has it. */
function npm({ deny, packages: { lockfileVersion, packages } }) {
  const complaints = lockfileVersion === 3 ? [] : [`package-lock.json has the version ${lockfileVersion}`];
  for (const [path, one] of Object.entries(packages)) {
    // The project itself; and what is within a package is covered by its hash.
    if (path === '' || one.inBundle) continue;
    const name = path.replace(/^.*node_modules\//, '');
    const named = `${name} ${one.version}`;
    if (!/^sha512-[\w+/]{86}==/.test(one.integrity ?? '')) complaints.push(`${named} has no hash in package-lock.json`);
    // What comes from the registry has no address in this file, see .npmrc.
    if (one.link || one.resolved) complaints.push(`${named} comes from ${one.resolved}`);
    const list = one.dev ? [...deny.licenses.allow, ...forTools] : deny.licenses.allow;
    const licensed = one.license ? allowed(one.license, list) : one.dev && unlabelled[name];
    if (!licensed) complaints.push(`${named} has the licence ${one.license}`);
    if (one.hasInstallScript && !scripted[name]) complaints.push(`${named} runs a script to be installed`);
  }
  return complaints;
}

/** What is wrong with files of Python's packages, by name. */
function python({ requirements }) {
  return Object.entries(requirements).flatMap(([file, written]) => {
    const wanted = written.replaceAll('\\\n', ' ').split('\n').filter((line) => line.trim() && !line.startsWith('#'));
    const built = wanted.flatMap((line) => /^--no-binary (\S+)$/.exec(line)?.[1] ?? []);
    const complaints = wanted
      .filter((line) => !line.startsWith('--no-binary '))
      .filter((line) => !/^[\w.-]+==[^\s;]+(?: ;[^#]*?)?(?:\s+--hash=sha256:[0-9a-f]{64})+\s*$/.test(line))
      .map((line) => `${file}: ${line.trim().split(/\s/)[0]} has no version or no hash`);
    for (const name of built) {
      if (!fromSources.includes(name)) complaints.push(`${file}: ${name} runs a script to be installed`);
    }
    return wanted.length > 0 ? complaints : [`${file} names no package`];
  });
}

/** How files that install something may do it. */
const rules = [
  [/\bnpm (?:ci|install|i)\b/, /--ignore-scripts/, 'npm installs with scripts'],
  [/\bpip3?"? install\b/, /--require-hashes/, 'pip installs without hashes'],
  [/\bcargo install\b/, /--locked/, 'cargo installs without its lock file'],
  [/\bcargo build --release\b/, /--locked/, 'cargo builds what is shipped without its lock file'],
];

/** What is wrong with the files that install: `files` by name. */
function installers({ files }) {
  return Object.entries(files).flatMap(([file, written]) =>
    written.split('\n').flatMap((line, place) =>
      rules
        .filter(([does, needs]) => !/^\s*(?:#|\/\/)/.test(line) && does.test(line.replace(/(?:say|die) ".*$/, '')) && !needs.test(line))
        .map(([, , complaint]) => `${file}:${place + 1}: ${complaint}`),
    ),
  );
}

/** What is wrong with the actions of the workflows: a tag may be moved to other code, a commit may not. */
function actions({ files }) {
  return Object.entries(files)
    .filter(([file]) => file.startsWith('.github/'))
    .flatMap(([file, written]) =>
      written.split('\n').flatMap((line, place) => {
        const used = /^(?!\s*#).*\buses["']?:\s*["']?([^\s"',}]+)/.exec(line)?.[1];
        const pinned = !used || used.startsWith('./') || /^[\w.-]+\/[\w./-]+@[0-9a-f]{40}$/.test(used);
        return pinned ? [] : [`${file}:${place + 1}: ${used} is not pinned to a commit`];
      }),
    );
}

const check = (facts) => [crates, npm, python, installers, actions].flatMap((one) => one(facts));

function facts() {
  const command = ['metadata', '--format-version', '1', '--locked', '--all-features'];
  const metadata = JSON.parse(execFileSync('cargo', command, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'inherit'] }));
  const folder = (path, keep = () => true) =>
    readdirSync(join(root, path), { withFileTypes: true })
      .filter((entry) => entry.isFile() && keep(entry.name))
      .map(({ name }) => `${path}/${name}`);
  const named = (files) => Object.fromEntries(files.map((file) => [file, text(file)]));
  const here = (name) => name !== 'supply-chain.mjs';
  return {
    deny: parse(text('deny.toml')),
    metadata,
    lock: text('Cargo.lock'),
    packages: JSON.parse(text('frontend/package-lock.json')),
    requirements: named(folder('scripts/requirements')),
    files: named(['Makefile', 'Dockerfile', '.ci/run', ...folder('scripts', here), ...folder('.github/workflows')]),
  };
}

/** Each a fault in a copy of the facts, and what has to be said of it. */
const planted = [
  [({ metadata }) => (metadata.packages.find(({ source }) => source).license = 'AGPL-3.0-only'), 'AGPL-3.0-only'],
  [({ metadata }) => (metadata.packages.find(({ source }) => source).license = null), 'licence null'],
  [({ metadata }) => (metadata.packages.find(({ source }) => source).source = 'git+https://example.com/x#1'), 'git+https'],
  [({ metadata }) => (metadata.packages.find(({ source }) => source).name = 'openssl-sys'), 'is forbidden'],
  [(one) => (one.lock = one.lock.replace(/^checksum = .*$/m, '')), 'no checksum'],
  [({ packages }) => delete packages.packages['node_modules/react'].integrity, 'react 19.3.1 has no hash'],
  [({ packages }) => (packages.packages['node_modules/react'].license = 'AGPL-3.0-only'), 'AGPL-3.0-only'],
  [({ packages }) => (packages.packages['node_modules/react'].resolved = 'git+ssh://git@example.com/x.git'), 'git+ssh'],
  [({ packages }) => (packages.packages['node_modules/react'].hasInstallScript = true), 'runs a script'],
  [({ requirements }) => (requirements.x = '--no-binary a\n'), 'x: a runs a script'],
  [({ requirements }) => (requirements.x = 'a==1\n'), 'x: a==1 has no version or no hash'],
  [({ files }) => (files.x = 'npm ci --no-audit'), 'x:1: npm'],
  [({ files }) => (files.x = 'pip install a'), 'x:1: pip'],
  [({ files }) => (files.x = 'cargo install a'), 'x:1: cargo'],
  [({ files }) => (files['.github/x'] = '      - uses: actions/cache@v4'), 'x:1: actions/cache@v4 is not pinned'],
  [({ files }) => (files['.github/x'] = '    uses: "owner/name/workflow.yml@main" # v1.2.3'), 'workflow.yml@main is not pinned'],
  [({ files }) => (files['.github/x'] = '      - { name: x, uses: actions/cache@5a3ec84 }'), '@5a3ec84 is not pinned'],
  [({ files }) => (files['.github/x'] = '      - uses: docker://alpine:3'), 'docker://alpine:3 is not pinned'],
];

const found = facts();
const complaints = check(found);
if (!Object.values(found.files).some((one) => one.includes('uses: actions/'))) complaints.push('the workflows cannot be read');
if (found.metadata.packages.length < 100 || Object.keys(found.packages.packages).length < 100) complaints.push('the lists cannot be read');
// The facts as they are may be wrong already; a planted fault has to be said beside that.
for (const [plant, expected] of planted) {
  const copy = structuredClone(found);
  plant(copy);
  const said = check(copy).filter((one) => !complaints.includes(one));
  if (!said.some((one) => one.includes(expected))) complaints.push(`a planted fault was not found: ${expected}`);
}
for (const complaint of complaints) console.error(`supply-chain: ${complaint}`);
process.exit(complaints.length === 0 ? 0 : 1);
