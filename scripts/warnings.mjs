#!/usr/bin/env node
// Prints what the compiler said of our crates while they were built, and fails if it said anything.
//
//   scripts/warnings.mjs MESSAGES   what `cargo --message-format=json` wrote
import { readFileSync } from 'node:fs';

const messages = readFileSync(process.argv[2], 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('{'))
  .map((line) => JSON.parse(line));
// A file that belongs to two targets is warned of twice.
const said = new Set(
  messages.filter(({ reason }) => reason === 'compiler-message').map(({ message }) => message.rendered),
);
for (const one of said) console.error(one);
if (!messages.some(({ reason }) => reason === 'compiler-artifact')) {
  console.error(`warnings: ${process.argv[2]} names nothing that was built`);
  process.exit(1);
}
process.exit(said.size > 0 ? 1 : 0);
