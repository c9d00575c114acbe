#!/usr/bin/env node
// Checks that the migrations can run while orders are placed. It knows the statements that lock a table for a time that
// grows with its size; a table that the same migration creates is empty, and exempt.
//
//   node scripts/lint-migrations.mjs [FOLDER]
//
// A comment `-- lint: why this is harmless` directly above a statement exempts it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

// Earlier migrations are part of the first release: no shop has large tables when they run.
const SINCE = 27;

const RULES = [
  {
    wrong: (sql, made) => {
      const index = /^CREATE\s+(?:UNIQUE\s+)?INDEX\s+(?!CONCURRENTLY)(?:.*?)\bON\s+(?:ONLY\s+)?([\w".]+)/is.exec(sql);
      return index !== null && !made.has(index[1]);
    },
    say: 'CREATE INDEX without CONCURRENTLY stops every write to its table: a step of its own, with run_in_transaction = false',
  },
  {
    wrong: (sql, made) =>
      onOthers(sql, made) &&
      clauses(sql).some(
        (clause) =>
          /\bADD\s+(?:CONSTRAINT\s+[\w"]+\s+)?(?:CHECK|FOREIGN\s+KEY)\b/is.test(clause) && !/\bNOT\s+VALID\b/is.test(clause),
      ),
    say: 'a constraint on a table that has rows is added NOT VALID, and validated by a step of its own',
  },
  {
    wrong: (sql, made) =>
      onOthers(sql, made) &&
      clauses(sql).some((clause) => /\bADD\s+(?:CONSTRAINT\s+[\w"]+\s+)?(?:UNIQUE|PRIMARY\s+KEY)\s*\(/is.test(clause)),
    say: 'a unique constraint builds its index under lock: CREATE UNIQUE INDEX CONCURRENTLY, then ADD CONSTRAINT ... USING INDEX',
  },
  {
    wrong: (sql, made) =>
      onOthers(sql, made) &&
      clauses(sql).some(
        (clause) =>
          /\bADD\s+(?:COLUMN\s+)?(?!CONSTRAINT|CHECK|FOREIGN|UNIQUE|PRIMARY|EXCLUDE)[\w"]+\s+\w/is.test(clause) &&
          /\bNOT\s+NULL\b/is.test(clause) &&
          !/\b(?:DEFAULT|GENERATED)\b/is.test(clause),
      ),
    say: 'a column that is NOT NULL without a default cannot be filled by the previous program',
  },
  {
    wrong: (sql, made) => onOthers(sql, made) && /\bALTER\s+(?:COLUMN\s+)?[\w"]+\s+(?:SET\s+DATA\s+)?TYPE\b/is.test(sql),
    say: 'another type rewrites the table: add a column instead',
  },
  {
    wrong: (sql, made) => onOthers(sql, made) && /\bALTER\s+(?:COLUMN\s+)?[\w"]+\s+SET\s+NOT\s+NULL\b/is.test(sql),
    say: 'SET NOT NULL reads the whole table under lock: CHECK (... IS NOT NULL) NOT VALID, VALIDATE, then SET NOT NULL',
  },
  {
    wrong: (sql, made) =>
      onOthers(sql, made) && clauses(sql).some((clause) => /\b(?:DROP\s+COLUMN|RENAME)\b/is.test(clause)),
    say: 'what the previous program uses is taken away one release later',
  },
  {
    wrong: (sql, _made, altered) => altered.has(/^ALTER\s+TABLE\s+([\w".]+)\s+VALIDATE\b/i.exec(sql)?.[1]),
    say: 'VALIDATE reads the whole table, under the lock of the ALTER TABLE before it: a step of its own',
  },
  { wrong: (sql) => /^(?:VACUUM|CLUSTER|REINDEX|LOCK)\b/i.test(sql), say: 'it holds a whole table' },
];

function onOthers(sql, made) {
  const table = /^ALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?([\w".]+)/i.exec(sql);
  return table !== null && !made.has(table[1]);
}

/** The parts of an ALTER TABLE, which commas outside of parentheses divide. */
function clauses(sql) {
  const parts = [''];
  let depth = 0;
  for (const sign of sql) {
    depth += sign === '(' ? 1 : sign === ')' ? -1 : 0;
    if (sign === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += sign;
  }
  return parts;
}

/** The statements of a file, each with whether a comment above it lets it through. */
function statements(text) {
  const found = [];
  let sql = '';
  let waived = false;
  let quote = null;
  for (const line of text.split('\n')) {
    const bare = line.trim();
    if (sql.trim() === '' && quote === null && bare.startsWith('--')) {
      waived ||= /^--\s*lint:\s*\S/.test(bare);
      continue;
    }
    const parts = line.split(/(\$\w*\$|'|;|--.*$)/);
    for (const part of parts) {
      if (quote === null && part === ';') {
        if (sql.trim() !== '') found.push({ sql: sql.trim(), waived });
        sql = '';
        waived = false;
      } else {
        if (quote === null && part.startsWith('--')) continue;
        if (quote === null && (part === "'" || /^\$\w*\$$/.test(part))) quote = part;
        else if (quote === part) quote = null;
        sql += part;
      }
    }
    sql += '\n';
  }
  if (sql.trim() !== '') found.push({ sql: sql.trim(), waived });
  return found;
}

/** What is wrong with a step, one line each. */
function wrong(up, outside) {
  const all = statements(up);
  const made = new Set(
    all.flatMap(({ sql }) => {
      const table = /^CREATE\s+(?:UNLOGGED\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?([\w".]+)/i.exec(sql);
      return table === null ? [] : [table[1]];
    }),
  );
  const altered = new Set(
    all.flatMap(({ sql }) => {
      const table = /^ALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?([\w".]+)\s+(?!VALIDATE\b)/i.exec(sql);
      return table === null || made.has(table[1]) ? [] : [table[1]];
    }),
  );
  const lines = [];
  for (const { sql, waived } of all) {
    if (waived) continue;
    const head = sql.replace(/\s+/g, ' ').slice(0, 90);
    for (const rule of RULES) if (rule.wrong(sql, made, altered)) lines.push(`${head}: ${rule.say}`);
  }
  const concurrent = all.filter(({ sql }) => /\bCONCURRENTLY\b/i.test(sql)).length;
  if (concurrent > 0 && (!outside || all.length > 1)) {
    lines.push('CONCURRENTLY needs a step of its own with run_in_transaction = false in metadata.toml');
  }
  if (outside && concurrent === 0) {
    lines.push('run_in_transaction = false is for CONCURRENTLY only: nothing bounds how long such a step waits for a lock');
  }
  return lines;
}

// Each of these has to be caught, or the rules do not work.
const PLANTED = [
  ['CREATE INDEX a ON orders (id);', false],
  ['CREATE UNIQUE INDEX IF NOT EXISTS a ON orders (id);', false],
  ['ALTER TABLE orders ADD CONSTRAINT a CHECK (x > 0);', false],
  ['ALTER TABLE orders ADD COLUMN b text, ADD CONSTRAINT a FOREIGN KEY (x) REFERENCES y (z);', false],
  ['ALTER TABLE orders ADD CONSTRAINT a UNIQUE (x);', false],
  ['ALTER TABLE orders ADD COLUMN a text NOT NULL;', false],
  ['ALTER TABLE orders ADD a integer NOT NULL CHECK (a > 0);', false],
  ['ALTER TABLE orders ALTER COLUMN a TYPE bigint;', false],
  ['ALTER TABLE orders ALTER a SET NOT NULL;', false],
  ['ALTER TABLE orders DROP COLUMN a;', false],
  ['LOCK TABLE orders;', false],
  ['ALTER TABLE orders ADD CONSTRAINT a CHECK (x > 0) NOT VALID; ALTER TABLE orders VALIDATE CONSTRAINT a;', false],
  ['CREATE INDEX CONCURRENTLY a ON orders (id);', false],
  ['CREATE INDEX CONCURRENTLY a ON orders (id); SELECT 1;', true],
  ['ALTER TABLE orders ADD COLUMN a text;', true],
];
const HARMLESS = [
  ['CREATE TABLE t (id integer); CREATE INDEX a ON t (id); ALTER TABLE t ADD CONSTRAINT c CHECK (id > 0);', false],
  ['ALTER TABLE orders ADD CONSTRAINT a CHECK (x > 0) NOT VALID;', false],
  ['ALTER TABLE orders VALIDATE CONSTRAINT a;', false],
  ["ALTER TABLE orders ADD COLUMN a text NOT NULL DEFAULT 'x', ADD COLUMN b integer;", false],
  ['CREATE INDEX CONCURRENTLY a ON orders (id);', true],
  ['-- lint: a hundred rows\nCREATE INDEX a ON roles (id);', false],
  ["INSERT INTO notes VALUES ('ALTER TABLE orders DROP COLUMN a;');", false],
];
for (const [sql, outside] of PLANTED) {
  if (wrong(sql, outside).length === 0) throw new Error(`the rules do not catch: ${sql}`);
}
for (const [sql, outside] of HARMLESS) {
  const lines = wrong(sql, outside);
  if (lines.length > 0) throw new Error(`the rules refuse what is harmless: ${sql}: ${lines}`);
}

const folder = process.argv[2] ?? 'migrations';
let failed = false;
for (const name of readdirSync(folder).sort()) {
  if (Number.parseInt(name, 10) < SINCE) continue;
  const step = join(folder, name);
  const metadata = join(step, 'metadata.toml');
  const outside = existsSync(metadata) && /run_in_transaction\s*=\s*false/.test(readFileSync(metadata, 'utf8'));
  const lines = wrong(readFileSync(join(step, 'up.sql'), 'utf8'), outside);
  if (!existsSync(join(step, 'down.sql'))) lines.push('it has no down.sql');
  for (const line of lines) {
    failed = true;
    console.error(`${step}: ${line}`);
  }
}
process.exitCode = failed ? 1 : 0;
