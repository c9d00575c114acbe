#!/usr/bin/env node
// Writes what the program is made of as CycloneDX 1.6: the crates that are compiled into it or build it, and the packages of npm that
// its client consists of, in one file that is valid by the standard's own schema. The same commit makes the same bytes.
//
//   node scripts/sbom.mjs FILE [VERSION]
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;
const require = createRequire(join(root, 'frontend/package.json'));
const { parse } = require('smol-toml');
const { PackageURL } = require('packageurl-js');
const { Enums, Models, Serialize, Spec, Validation } = require('@cyclonedx/cyclonedx-library');
const text = (file) => readFileSync(join(root, file), 'utf8');
const target = 'x86_64-unknown-linux-gnu';

const [file, version = parse(text('Cargo.toml')).workspace.package.version] = process.argv.slice(2);
if (!file) {
  console.error('usage: scripts/sbom.mjs FILE [VERSION]');
  process.exit(2);
}

const cargo = (...args) => execFileSync('cargo', [...args, '--locked'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });

function licence(written) {
  const expression = written.replaceAll(/\s*\/\s*/g, ' OR ');
  const single = /^[\w.+-]+$/.test(expression);
  return single ? new Models.SpdxLicense(expression) : new Models.LicenseExpression(expression);
}

function component({ name, group, version, purl, licence: written, hashes }) {
  const bare = group && name.startsWith(`${group}/`) ? name.slice(group.length + 1) : name;
  const made = new Models.Component(Enums.ComponentType.Library, bare, { bomRef: purl, group, version, purl });
  if (written) made.licenses.add(licence(written));
  for (const [algorithm, hash] of hashes) made.hashes.set(algorithm, hash);
  return made;
}

/** The crates of the program, without those that only test it, and which uses which. */
function crates() {
  const metadata = JSON.parse(cargo('metadata', '--format-version', '1', '--filter-platform', target));
  const tree = cargo('tree', '--package', 'driveline', '--target', target, '--edges', 'normal,build', '--prefix', 'none', '--format', '{p}');
  const used = new Set(tree.split('\n').map((line) => line.split(' ').slice(0, 2).join(' ').replace(/ v/, ' ')));
  const checksums = new Map(parse(text('Cargo.lock')).package.map(({ name, version, checksum }) => [`${name} ${version}`, checksum]));
  const found = new Map();
  for (const { id, name, version: own, license } of metadata.packages) {
    const named = `${name} ${own}`;
    if (!used.has(named)) continue;
    const checksum = checksums.get(named);
    const purl = new PackageURL('cargo', undefined, name, own, undefined, undefined).toString();
    const hashes = checksum ? [[Enums.HashAlgorithm['SHA-256'], checksum]] : [];
    found.set(id, { name, component: component({ name, version: own, purl, licence: license, hashes }) });
  }
  for (const { id, deps } of metadata.resolve.nodes) {
    const from = found.get(id);
    if (!from) continue;
    for (const { pkg, dep_kinds: kinds } of deps) {
      const to = found.get(pkg);
      if (to && kinds.some(({ kind }) => kind !== 'dev')) from.component.dependencies.add(to.component.bomRef);
    }
  }
  return found;
}

/** The packages of the client, without those that only build and test it, and which uses which. */
function packages() {
  const all = JSON.parse(text('frontend/package-lock.json')).packages;
  const found = new Map();
  for (const [path, one] of Object.entries(all)) {
    if (path === '' || one.dev || one.optional) continue;
    const name = path.replace(/^.*node_modules\//, '');
    const group = name.startsWith('@') ? name.split('/')[0] : undefined;
    const bare = group ? name.slice(group.length + 1) : name;
    const purl = new PackageURL('npm', group, bare, one.version, undefined, undefined).toString();
    const hash = Buffer.from(one.integrity.replace('sha512-', ''), 'base64').toString('hex');
    const hashes = [[Enums.HashAlgorithm['SHA-512'], hash]];
    found.set(path, { name, component: component({ name, group, version: one.version, purl, licence: one.license, hashes }) });
  }
  /** Where Node finds a package that another uses. */
  function resolved(from, name) {
    for (let folder = from; ; folder = folder.replace(/(^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/, '')) {
      const path = `${folder}${folder ? '/' : ''}node_modules/${name}`;
      if (found.has(path)) return found.get(path);
      if (folder === '') return undefined;
    }
  }
  for (const [path, { component: from }] of found) {
    for (const name of Object.keys(all[path].dependencies ?? {})) {
      const to = resolved(path, name);
      if (to) from.dependencies.add(to.component.bomRef);
    }
  }
  const direct = Object.keys(all[''].dependencies).map((name) => found.get(`node_modules/${name}`));
  return { found, direct };
}

const server = crates();
const { found: client, direct } = packages();
const program = [...server.values()].find(({ name }) => name === 'driveline');
if (!program || server.size < 100 || client.size < 10 || direct.includes(undefined)) throw new Error('the lists cannot be read');
const shop = program.component;
shop.type = Enums.ComponentType.Application;
shop.version = version;
for (const { component: one } of direct) shop.dependencies.add(one.bomRef);

const bom = new Models.Bom({ version: 1, metadata: new Models.Metadata({ component: shop }) });
for (const { component: one } of [...server.values(), ...client.values()]) if (one !== shop) bom.components.add(one);
const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
const written = `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;

const validator = new Validation.JsonStrictValidator(Spec.Version.v1dot6);
const wrong = await validator.validate(written);
// A validator that takes anything proves nothing.
const planted = await validator.validate(written.replace('"type": "library"', '"type": "libary"'));
if (wrong !== null || planted === null) {
  console.error(`sbom: ${wrong === null ? 'the validator takes what is wrong' : JSON.stringify(wrong).slice(0, 2_000)}`);
  process.exit(1);
}
const unlicensed = [...bom.components].filter(({ licenses }) => licenses.size === 0).map(({ name }) => name);
if (unlicensed.length > 0) {
  console.error(`sbom: no licence is known of ${unlicensed.join(', ')}`);
  process.exit(1);
}
writeFileSync(file, written);
console.log(`${file}: ${server.size - 1} crates and ${client.size} packages of npm, valid CycloneDX 1.6`);
