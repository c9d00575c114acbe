// Writes the filter of the most common passwords that the shop refuses, or with --check says whether the one that is checked
// in is what this would write.
//
//   node scripts/common-passwords.mjs [--check]
//
// The list is that of zxcvbn-ts (MIT), counted from published leaks. Of each password the filter holds the first four bytes
// of its SHA-256, in order: 42,710 entries in 167 KiB, and one of 100,000 other passwords is refused by mistake.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Shorter ones are refused for their length.
const MIN = 6;
// What the list leaves to a finder of keyboard patterns, and what is common at the door of a shop's back room.
const BESIDES =
  `420420 mnbvcxz ytrewq poiuyt qwertz poiuytrewq adgjmp 0987654321q wertzu 110442 74227422 987654321q 34523452
  654321q qwertzui yxcvbn yxcvbnm lkjhgfdsaz qwertzu qwertzuiop 87654321q 9875321 p@ssword login123 root123 guest123 admin1234
  admin12345 1g2w3e4r gwerty zag12wsx`.split(/\s+/);

const target = fileURLToPath(
  new URL('../../crates/domain/src/accounts/common_passwords.bin', import.meta.url),
);
const packaged = dirname(
  createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common/package.json'),
);
const listed = JSON.parse(readFileSync(join(packaged, 'src/passwords.json'), 'utf8'));

const prefixes = new Set();
for (const password of [...listed, ...BESIDES]) {
  const folded = password.normalize('NFC').toLowerCase();
  if ([...folded].length >= MIN)
    prefixes.add(createHash('sha256').update(folded).digest().readUInt32BE(0));
}
const filter = Buffer.alloc(prefixes.size * 4);
const ordered = [...prefixes].sort((a, b) => a - b);
for (const [place, prefix] of ordered.entries()) filter.writeUInt32BE(prefix, place * 4);

if (process.argv.includes('--check')) {
  if (!readFileSync(target).equals(filter)) {
    console.error('common_passwords.bin is not what the list makes: run make common-passwords');
    process.exit(1);
  }
} else {
  writeFileSync(target, filter);
  console.log(`${prefixes.size} passwords, ${filter.length} bytes`);
}
