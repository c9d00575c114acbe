#!/usr/bin/env node
// Whether what people read speaks as frontend/VOICE.md asks: the screens' messages, the e-mails, the demo's catalogue, the
// sentences of refusals. And whether screens take all of their words from messages, so that they can be read in one place.
//
//   node scripts/lint-copy.mjs
//   node scripts/lint-copy.mjs --try   whether it would notice each kind of line, and lets through what it has to
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = new URL('..', import.meta.url).pathname;

/** The word, and what to say instead. */
const WORDS = [
  ['letters?', 'email'],
  ['e-mails?', 'email'],
  ['stands?', 'is'],
  ['shelf|shelves', 'in stock'],
  ['told', 'say what happens'],
  ['by which', 'a second sentence'],
  ['any ?more', 'no longer'],
  ['whoever', 'the person, by role'],
  ['somebody|everybody', 'someone, everyone'],
  ['called off', 'canceled'],
  ['cancelled|cancelling', 'canceled, canceling'],
  ['tyres?', 'tire'],
  ['callipers?', 'caliper'],
  ['petrol', 'gasoline'],
  ['litres?', 'liter'],
  ['aluminium', 'aluminum'],
  ['kerbs?', 'curb'],
  ['colours?', 'color'],
  ['centres?', 'center'],
  ['catalogues?', 'catalog'],
  ['licences?', 'license'],
  ['grey', 'gray'],
  ['analysed?', 'analyze'],
  ['headlamps?', 'headlight'],
];

/** Where the word is right: the specification's own, and what is typed letter by letter. */
const RIGHT = [
  /news[-_]?letter/gi,
  /stands? in for/gi,
  // A list's values on the wire.
  /order\.cancelled|refunded, cancelled or all|'cancelled'/gi,
  // Of what can be typed.
  /letters? (?:and|or) (?:digits|numbers)/gi,
];

const any = new RegExp(`(?<![a-z])(?:${WORDS.map(([word]) => word).join('|')})(?![a-z])`, 'i');

/** What a text should not say, or null. */
function wrong(text) {
  let rest = text;
  for (const right of RIGHT) rest = rest.replace(right, '');
  return any.exec(rest)?.[0] ?? null;
}

function insteadOf(word) {
  return WORDS.find(([pattern]) => new RegExp(`^(?:${pattern})$`, 'i').test(word))?.[1] ?? 'another word';
}

const QUOTED = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|[^`\\])*`/g;
const isComment = (line) => /^\s*(?:\/\/|\/?\*|\{\/\*)/.test(line);

/** The texts of a line of code. */
const quoted = (line) => (isComment(line) ? '' : (line.replace(/\/\/.*$/, '').match(QUOTED) ?? []).join(' '));
/** The texts of a line of Rust that are sentences: names and codes have no space in them. */
const sentences = (line) =>
  isComment(line) || /description|tracing::|reason =|\.(?:expect|unwrap)/.test(line)
    ? ''
    : (line.match(/"(?:\\.|[^"\\])* (?:\\.|[^"\\])*"/g) ?? []).join(' ');

/** What people read, and how to get it out of a line. */
const COPY = [
  [/^frontend\/src\/.*messages\.ts$/, quoted],
  [/^crates\/adapters\/email\/templates\//, (line) => line.replace(/style="[^"]*"/g, '')],
  [/^crates\/adapters\/http\/src\/accounts\/google_sandbox\/page\.html$/, (line) => line],
  [/^crates\/app\/src\/demo\/(?:catalogue|welcome)\.rs$/, sentences],
  [/^crates\/adapters\/http\/src\/.*(?:refusals|problem|place|cancel|ship|refund|open|settle)\.rs$/, sentences],
];

/** Words that a screen says itself: between its tags, or in an attribute that is read aloud. */
function ownWords(line) {
  if (isComment(line)) return null;
  const between = />\s*([A-Z][a-z]+(?: [\w’',.]+)*[^<>{}();=]*)<\//.exec(line)?.[1];
  const said = /\b(?:aria-label|title|label|placeholder|alt|heading|note)="([A-Z][a-z][^"]*)"/.exec(line)?.[1];
  const alone = /^\s+([A-Z][a-z]+(?: [\w’',]+){2,}[.…]?)$/.exec(line)?.[1];
  return between ?? said ?? alone ?? null;
}

const SCREENS = /^frontend\/src\/(?!testing\/)(?:(?!\.test\.).)*\.tsx$/;

function attempt() {
  const noticed = ['a letter is on its way', 'it stands here', 'Email or e-mail', 'The tyre', 'Whoever is told', 'Cancelled'];
  const passed = ['Newsletter', 'Understand', 'outstanding', 'letters and digits', 'canceled', 'order.cancelled'];
  const own = ['    Your orders will appear here.', '<h1>Your orders</h1>', '<p className="x">Nothing here yet.</p>', '<nav aria-label="Main">'];
  const others = ['<h1>{messages.heading}</h1>', '<nav aria-label={messages.main}>', '// <h1>Your orders</h1>', 'a => Foo<T>'];
  const failures = [
    ...noticed.filter((text) => wrong(text) === null).map((text) => `not noticed: ${text}`),
    ...passed.filter((text) => wrong(text) !== null).map((text) => `wrongly noticed: ${text}`),
    ...own.filter((line) => ownWords(line) === null).map((line) => `not noticed: ${line}`),
    ...others.filter((line) => ownWords(line) !== null).map((line) => `wrongly noticed: ${line}`),
  ];
  for (const failure of failures) console.error(`lint-copy: ${failure}`);
  return failures.length;
}

function lint() {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean);
  let found = 0;
  const report = (path, index, what) => {
    found += 1;
    console.error(`${path}:${index + 1}: ${what} (frontend/VOICE.md)`);
  };
  for (const path of files) {
    const textOf = COPY.find(([pattern]) => pattern.test(path))?.[1];
    const isScreen = SCREENS.test(path);
    if (!textOf && !isScreen) continue;
    for (const [index, line] of readFileSync(join(root, path), 'utf8').split('\n').entries()) {
      if (path.endsWith('.rs') && line.startsWith('#[cfg(test)]')) break;
      const word = textOf && wrong(textOf(line));
      if (word) report(path, index, `"${word}": say ${insteadOf(word)}`);
      const own = isScreen && ownWords(line);
      if (own) report(path, index, `"${own}" belongs to a file of messages`);
    }
  }
  return found;
}

const failures = attempt() + (process.argv.includes('--try') ? 0 : lint());
process.exit(failures === 0 ? 0 : 1);
