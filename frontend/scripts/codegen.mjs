/*
 * Writes what the client knows of the shop's calls out of docs/openapi.json: the wire's types into src/api/types.ts, and
 * each feature's endpoints into its api.generated.ts, with `@rtk-query/codegen-openapi`. A feature makes the calls that its
 * own api.ts names: `placeOrder`, or the hook `usePlaceOrderMutation`. There it adds what the document cannot say, and builds
 * the calls that the generator cannot make.
 *
 *   node scripts/codegen.mjs           writes them
 *   node scripts/codegen.mjs --check   says what writing would change, and fails if that is anything
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateEndpoints } from '@rtk-query/codegen-openapi';

const root = fileURLToPath(new URL('..', import.meta.url));
const schemaFile = fileURLToPath(new URL('../../docs/openapi.json', import.meta.url));
const TYPES = 'src/api/types.ts';

const withoutKey = (parameter) => parameter !== 'Idempotency-Key';

const endpointOverrides = [
  // Asking again returns the payment intent that is open already, so the page may ask as it would for anything that it reads.
  { pattern: 'openPayment', type: 'query', parameterFilter: withoutKey },
  // A key tells a form that is sent again from a new request. Where there is no form the base query makes one each time.
  { pattern: (_name, { operation }) => !operation.requestBody, parameterFilter: withoutKey },
];

const header = `/* Written by \`make client-api\` from docs/openapi.json. Not to be edited. */\n\n`;

/** What the generator makes of these operations: the endpoints with their arguments and answers, and the wire's types. */
async function generate(operations, exportName) {
  const source = await generateEndpoints({
    schemaFile,
    apiFile: '@/api/api',
    exportName,
    filterEndpoints: operations,
    endpointOverrides,
    flattenArg: true,
    encodePathParams: true,
    useUnknown: true,
  });
  const statements = source.split(/^(?=export type )/m);
  const typeName = (statement) => /^export type (\w+)/.exec(statement)?.[1] ?? '';
  const ofWire = (statement) => /^(?!.*Api(?:Arg|Response)$).+/.test(typeName(statement));
  const types = new Map(statements.filter(ofWire).map((text) => [typeName(text), text]));
  return { endpoints: statements.filter((statement) => !ofWire(statement)).join(''), types };
}

/** A feature's endpoints, with the wire's types from where all features have them. */
async function featureFile(feature, operations) {
  const name = feature
    .split(/[/-]/)
    .map((part) => part[0].toUpperCase() + part.slice(1))
    .join('');
  const { endpoints, types } = await generate(operations, `generated${name}Api`);
  const code = endpoints.replace(/\/\*.*?\*\//gs, '');
  const used = [...types.keys()].filter((type) => new RegExp(`\\b${type}\\b`).test(code));
  const [first, ...rest] = endpoints.split('\n');
  const imports = `import type { ${used.sort().join(', ')} } from '@/api/types';`;
  return `${header}${[first, ...(used.length > 0 ? [imports] : []), '', ...rest].join('\n')}`;
}

function formatted(path, source) {
  const run = spawnSync(
    `${root}node_modules/.bin/biome`,
    ['check', '--write', `--stdin-file-path=${path}`],
    {
      cwd: root,
      input: source,
      encoding: 'utf8',
    },
  );
  if (run.status !== 0) throw new Error(`Biome cannot format ${path}: ${run.stderr}`);
  return run.stdout;
}

/** Whether a feature's api.ts names this call, and does not build it itself. */
function calls(source, id) {
  const hook = `use${id[0].toUpperCase()}${id.slice(1)}(?:Query|Mutation)`;
  return new RegExp(`\\b(?:${id}|${hook})\\b`).test(source) && !source.includes(`${id}: build.`);
}

const document = JSON.parse(readFileSync(schemaFile, 'utf8'));
const known = Object.values(document.paths)
  .flatMap((path) => Object.values(path))
  .map(({ operationId }) => operationId);
const features = new Map();
for (const path of readdirSync(`${root}src/features`, { recursive: true }).sort()) {
  if (!path.endsWith('/api.ts')) continue;
  const source = readFileSync(`${root}src/features/${path}`, 'utf8');
  const own = known.filter((id) => calls(source, id));
  // A feature that builds all of its calls itself has no use for the generator.
  if (own.length > 0) features.set(dirname(path), own);
}
const placed = [...features.values()].flat();
const problems = placed
  .filter((id, place) => placed.indexOf(id) !== place)
  .map((id) => `${id} is named by the api.ts of two features: one of them makes the call.`);

const files = new Map();
if (problems.length === 0) {
  const { types } = await generate(undefined, 'all');
  files.set(TYPES, formatted(TYPES, header + [...types.values()].join('\n')));
  for (const [feature, operations] of features) {
    // It builds all of its calls itself.
    if (operations.length === 0) continue;
    const path = `src/features/${feature}/api.generated.ts`;
    files.set(path, formatted(path, await featureFile(feature, operations)));
  }
  for (const path of readdirSync(`${root}src/features`, { recursive: true })) {
    if (path.endsWith('.generated.ts') && !files.has(`src/features/${path}`)) {
      problems.push(`src/features/${path} is written by nobody: remove it.`);
    }
  }
}

for (const [path, source] of files) {
  if (!process.argv.includes('--check')) {
    writeFileSync(`${root}${path}`, source);
    continue;
  }
  const { stdout, status } = spawnSync('diff', ['-uN', path, '-'], {
    cwd: root,
    input: source,
    encoding: 'utf8',
  });
  if (status !== 0) {
    process.stdout.write(stdout);
    problems.push(`${path} is not what docs/openapi.json makes: run make client-api.`);
  }
}
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
