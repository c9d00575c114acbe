#!/usr/bin/env node
// Builds test programs and runs them one after the other, each in its package's folder, as `cargo test` would.
//
//   scripts/run-tests.mjs PACKAGE[/TARGET]... [-- ARGUMENT...]   TARGET: lib, bin, or the name of an integration test
//
// `cargo test --package NAME` chooses features for NAME alone, so that each choice of packages compiles a tokio and a
// diesel of its own, and all that is above them. Here features are those of the whole workspace, always. If BUILT is set
// nothing is built: it names the file with the messages of the build (`make programs`).
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

const words = process.argv.slice(2);
const end = words.includes('--') ? words.indexOf('--') : words.length;
const passedOn = words.slice(end + 1);
const wanted = words.slice(0, end).map((word) => {
  const [name, target] = word.split('/');
  return { name, target };
});
if (wanted.length === 0) {
  console.error('usage: scripts/run-tests.mjs PACKAGE[/TARGET]... [-- ARGUMENT...]');
  process.exit(2);
}

/** What cargo has to build; everything if a package is wanted as a whole. */
function selection() {
  if (wanted.some(({ target }) => target === undefined)) return [];
  const flags = wanted.map(({ target }) =>
    target === 'lib' ? ['--lib'] : target === 'bin' ? ['--bins'] : ['--test', target],
  );
  return [...new Set(flags.map((flag) => flag.join('=')))];
}

function build() {
  const options = ['--workspace', '--no-run', '--quiet', '--message-format=json-render-diagnostics'];
  try {
    return execFileSync('cargo', ['test', ...options, ...selection()], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  } catch (error) {
    process.exit(error.status ?? 1);
  }
}

const messages = process.env.BUILT ? readFileSync(process.env.BUILT, 'utf8') : build();
const programs = messages
  .split('\n')
  .filter((line) => line.startsWith('{'))
  .map((line) => JSON.parse(line))
  .filter(({ reason, profile, executable }) => reason === 'compiler-artifact' && profile.test && executable)
  .map(({ package_id: id, manifest_path: manifest, target, executable }) => ({
    name: id.replace(/.*#/, '').replace(/@.*/, ''),
    target: target.kind[0] === 'test' ? target.name : target.kind[0],
    folder: dirname(manifest),
    executable,
  }));

const failures = [];
for (const { name, target } of wanted) {
  const chosen = programs.filter((one) => one.name === name && (target === undefined || one.target === target));
  if (chosen.length === 0) {
    failures.push(`there is no test program ${name}${target === undefined ? '' : `/${target}`}`);
  }
  for (const { target, folder, executable } of chosen) {
    const { status, signal, error } = spawnSync(executable, ['--quiet', ...passedOn], {
      cwd: folder,
      env: { ...process.env, CARGO_MANIFEST_DIR: folder },
      stdio: 'inherit',
    });
    if (status !== 0) failures.push(`${name}/${target} failed (${error?.message ?? signal ?? status})`);
  }
}
// At the end, where they are looked for: the programs' own words may be thousands of lines.
for (const failure of failures) console.error(`run-tests: ${failure}`);
process.exit(failures.length > 0 ? 1 : 0);
