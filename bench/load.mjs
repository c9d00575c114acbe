// Load by wrk, which takes little of the processors that it shares with what it measures.
import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { start, stop } from './children.mjs';

const here = new URL('.', import.meta.url).pathname;
const limits = join(here, '../target/release/driveline-bench-limits');
const folder = mkdtempSync(join(tmpdir(), 'driveline-bench-load-'));
let files = 0;

/**
 * Writes requests down as wrk.lua reads them.
 *
 * @param {{method?: string, target: string, headers?: Record<string, string>, body?: string}[]} requests
 */
export function requestFile(requests) {
  files += 1;
  const path = join(folder, `${files}.txt`);
  const blocks = requests.map(({ method = 'GET', target, headers = {}, body }) =>
    [
      `${method} ${target}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...(body === undefined ? [] : [`body: ${body}`]),
    ].join('\n'),
  );
  writeFileSync(path, `${blocks.join('\n\n')}\n\n`);
  return path;
}

/** Runs requests for some seconds. Times are milliseconds. */
export async function load(base, file, { connections, seconds }) {
  const threads = Math.min(2, connections);
  const { stdout } = await promisify(execFile)('wrk', [
    ...['-t', String(threads), '-c', String(connections), '-d', `${seconds}s`, '--timeout', '10s'],
    ...['-s', join(here, 'wrk.lua'), base, '--', file],
  ]);
  const line = stdout.split('\n').findLast((one) => one.startsWith('{'));
  const figures = JSON.parse(line);
  return { ...figures, rate: figures.requests / figures.seconds };
}

/** One response, byte for byte: not decoded, as `fetch` would. */
export function record(base, { method = 'GET', target, headers = {} }) {
  return new Promise((done, fail) => {
    const request = send(`${base}${target}`, { method, headers }, (answer) => {
      const chunks = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () => {
        const own = new Set(['content-length', 'transfer-encoding', 'date', 'connection', 'keep-alive']);
        const pairs = [];
        for (let at = 0; at < answer.rawHeaders.length; at += 2) {
          const name = answer.rawHeaders[at].toLowerCase();
          if (!own.has(name)) pairs.push([name, answer.rawHeaders[at + 1]]);
        }
        done({ target, status: answer.statusCode, headers: pairs, body: [...Buffer.concat(chunks)] });
      });
    });
    request.on('error', fail);
    request.end();
  });
}

/** A bare actix-web handler that answers with these responses from memory. */
export async function bare(responses) {
  const child = start(limits, ['http', '--workers', String(availableParallelism())], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(responses));
  const port = await new Promise((done, fail) => {
    child.stdout.once('data', (text) => done(Number(String(text).trim())));
    child.once('exit', () => fail(new Error('the bare handler ended')));
  });
  return {
    base: `http://127.0.0.1:${port}`,
    stop: () => stop(child),
  };
}

export async function argon2Alone(threads, seconds) {
  const { stdout } = await promisify(execFile)(limits, [
    ...['argon2', '--threads', String(threads), '--seconds', String(seconds)],
  ]);
  return Number(stdout);
}

export function median(values) {
  const sorted = [...values].sort((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
