#!/usr/bin/env node
// Whether code, comments and documents speak the words of docs/glossary.md. It knows the words that the project once had of
// its own for what the field has a name for, and refuses them wherever they stand as a word or as a part of an identifier.
//
//   node scripts/lint-words.mjs
//   node scripts/lint-words.mjs --try   whether it would notice each word, and lets through what it has to
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;

/** The word, and what to say instead. */
const WORDS = [
  ['deeds?', 'use case; on the client action'],
  ['letters?', 'e-mail'],
  ['knocks?', 'public'],
  ['shelf|shelves', 'stock'],
  ['aisles?', 'category'],
  ['twins?', 'duplicate'],
  ['wish(?:es)?', 'command or selector'],
  ['mint(?:s|ed|ing)?', 'issue'],
  ['guess(?:es)?', 'login attempt or failed login'],
  ['dawdles?', 'miss the deadline'],
  ['bury|buried|buries', 'dead-letter'],
  ['look(?:s|ed|ing)? after', 'check or monitor'],
  ['(?:is|are|was|were|be|been) told', 'gets, is sent or is shown'],
];

/** Where the word is the field's own. */
const RIGHT = [
  /dead[-_ ]?letter/gi,
  /news[-_]?letter/gi,
  /letter[ -]by[ -]letter/gi,
  // Characters of an alphabet.
  /(?:ascii|capital|small|latin|lower-case|upper-case|block|random|two|hex) letters?/gi,
  /(?:random|two)[_-]letters?/gi,
  /letters?,? (?:and|or) (?:digits|numbers)|letters, digits|no letters?\b/gi,
  // How safe a secret is.
  /(?:easy|easier|hard|impossible) to guess/gi,
  // Names in the database, which a migration would have to change.
  /login[_ ]guesses|letter_id|outbox_one_letter_per_event|outbox_letters_have_a_reader/gi,
  // Of fonts and of a package.
  /letter[- ](?:spacing|frequency|case)|first-letter|mime_guess|guess_segment_properties/gi,
];

/** Texts that customers read are checked by lint-copy.mjs; generated files say what their source says. */
const LEFT_OUT = [
  /^frontend\/src\/(?:features\/.+\/api\.generated|api\/types)\.ts$/,
  /^docs\/openapi\.json$/,
  /^docs\/glossary\.md$/,
  /^docs\/spec-coverage\.md$/,
  /^crates\/adapters\/persistence\/src\/schema\.rs$/,
  /^frontend\/src\/index\.ejs$/,
  /^scripts\/lint-(?:words|copy)\.mjs$/,
  // Names the words that copy does without.
  /^frontend\/VOICE\.md$/,
  /^migrations\//,
  /^crates\/app\/src\/demo\/catalogue\.rs$/,
  /^frontend\/package-lock\.json$/,
  /^assets\//,
  // What e-mails say is copy, as a screen's is.
  /^crates\/adapters\/email\/(?:templates|tests\/golden)\//,
  /\.(?:webp|png|woff2|bin|svg|lock|pem|ico|csv|snap)$/,
];

const any = new RegExp(
  `(?<![a-z])(?:${WORDS.map(([word]) => word.replace(/ /g, '[ _-]')).join('|')})(?![a-z])`,
  'i',
);

/** `fooBar` and `FOO_BAR` apart, so that a word inside an identifier is found too. */
const apart = (line) => line.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replace(/_/g, ' ');

/** What a line should not say, or null. */
function wrong(line) {
  let rest = line;
  for (const right of RIGHT) rest = rest.replace(right, '');
  return any.exec(apart(rest))?.[0] ?? null;
}

const isComment = (line) => /^\s*(?:\/\/|\/?\*)/.test(line);

/** A line of code without its texts: what customers read is the copy's, and what a test sends is data. */
function withoutTexts(path, line) {
  if (isComment(line)) return line;
  const bare = line.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`|(?<=[(,:=] ?)\/(?![/*])(?:\\.|[^/\\])+\/[a-z]*/g, '""');
  // Between tags, and on the lines of a long text, there are no quotes: there only compound names are names for certain.
  return path.endsWith('.tsx') ? (bare.match(/\b\w*(?:[a-z][A-Z]|_)\w*\b/g) ?? []).join(' ') : bare;
}

function insteadOf(word) {
  const row = WORDS.find(([pattern]) => new RegExp(`^(?:${pattern.replace(/ /g, '[ _-]')})$`, 'i').test(word));
  return row?.[1] ?? 'another word';
}

function attempt() {
  const noticed = ['the deed asks', 'fn letter_to()', 'class LetterBox', 'on the shelf', 'TOKEN_MINTED', 'who are told'];
  const passed = ['dead_letter', 'Newsletter', 'ASCII letters, digits and `-`', 'minimum', 'the toll', 'shelfless'];
  const failures = [
    ...noticed.filter((line) => wrong(line) === null).map((line) => `not noticed: ${line}`),
    ...passed.filter((line) => wrong(line) !== null).map((line) => `wrongly noticed: ${line}`),
  ];
  for (const failure of failures) console.error(`lint-words: ${failure}`);
  return failures.length;
}

function lint() {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  let found = 0;
  for (const path of files) {
    if (LEFT_OUT.some((pattern) => pattern.test(path))) continue;
    for (const [index, line] of readFileSync(join(root, path), 'utf8').split('\n').entries()) {
      const word = wrong(/\.(?:rs|[cm]?[jt]sx?)$/.test(path) ? withoutTexts(path, line) : line);
      if (word === null) continue;
      found += 1;
      console.error(`${path}:${index + 1}: "${word}": say ${insteadOf(word)} (docs/glossary.md)`);
    }
  }
  return found;
}

const failures = attempt() + (process.argv.includes('--try') ? 0 : lint());
process.exit(failures === 0 ? 0 : 1);
