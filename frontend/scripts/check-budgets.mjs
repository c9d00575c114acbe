/*
 * Fails the build when a page would cost a visitor more bytes than agreed. All figures are gzip at level 9.
 * A route's figure is everything its lazy import loads on top of the first page, shared libraries included.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const KIB = 1024;
const LIMITS = {
  initial: 120 * KIB,
  route: 30 * KIB,
  admin: 60 * KIB,
  css: 14 * KIB,
  html: 14 * KIB,
};

const root = fileURLToPath(new URL('..', import.meta.url));
const reportFile = `${root}.build/chunks.json`;
if (!existsSync(reportFile)) {
  console.error('No .build/chunks.json: run webpack in production mode first.');
  process.exit(1);
}

const groups = JSON.parse(readFileSync(reportFile, 'utf8'));
const size = (file) => gzipSync(readFileSync(`${root}dist/${file}`), { level: 9 }).length;
const js = (files) => files.filter((file) => file.endsWith('.js'));
const sum = (files) => files.reduce((total, file) => total + size(file), 0);

const initialFiles = new Set([...(groups.main ?? []), ...(groups.boot ?? [])]);
const rows = [['initial JS', sum(js([...initialFiles])), LIMITS.initial]];
for (const [name, files] of Object.entries(groups)) {
  if (name === 'main' || name === 'boot') continue;
  const own = js(files).filter((file) => !initialFiles.has(file));
  rows.push([name, sum(own), name.startsWith('admin-') ? LIMITS.admin : LIMITS.route]);
}
const styles = readdirSync(`${root}dist/assets`).filter((file) => file.endsWith('.css'));
rows.push(['all CSS', sum(styles.map((file) => `assets/${file}`)), LIMITS.css]);

const digest = (text) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** What a page's policy would refuse: anything inline but the one style and the one script that the manifest names. */
function refused(html, { style, script }) {
  const inline = /<(style|script)>(.*?)<\/\1>/gs;
  const found = [...html.matchAll(inline)].map(([, kind, text]) => `${kind} ${digest(text)}`);
  const allowed = [`script ${script}`, `style ${style}`];
  if (found.sort().join() !== allowed.sort().join())
    return 'a style or script that the manifest does not name';
  const rest = html.replace(inline, '');
  if (/<style/i.test(rest)) return 'a second style';
  if (/<script(?![^>]*\ssrc=)[^>]*>/i.test(rest)) return 'an inline script';
  if (/<[^>]+\sstyle=/i.test(rest)) return 'a style attribute';
  if (/<[^>]+\son[a-z]+=/i.test(rest)) return 'an inline handler';
  return null;
}

const manifest = JSON.parse(readFileSync(`${root}dist/pages/manifest.json`, 'utf8'));
const violations = [];
for (const [name, listed] of Object.entries(manifest)) {
  const file = `pages/${name}.html`;
  rows.push([file, size(file), LIMITS.html]);
  const what = refused(readFileSync(`${root}dist/${file}`, 'utf8'), listed);
  if (what) violations.push(`${file} holds ${what}, which its policy refuses.`);
}

let failed = false;
for (const [name, bytes, limit] of rows) {
  const over = bytes > limit;
  failed ||= over;
  const figure = `${(bytes / KIB).toFixed(1)} of ${(limit / KIB).toFixed(0)} KiB gz`;
  console.log(`${over ? 'OVER' : ' ok '}  ${name.padEnd(28)} ${figure}`);
}
for (const violation of violations) {
  console.error(`OVER  ${violation}`);
  failed = true;
}
process.exit(failed ? 1 : 0);
