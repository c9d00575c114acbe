// A Postgres of the bench's own, that keeps what it commits as a shop's does: fsync and synchronous_commit are on. The one of
// `driveline postgres` forces nothing to disk, and is set up to be small.
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { start } from './children.mjs';

const here = new URL('.', import.meta.url).pathname;
const fetched = join(here, '../.tools/postgres/bin');

function programs() {
  if (existsSync(join(fetched, 'pgbench'))) return fetched;
  const bin = execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();
  if (!existsSync(join(bin, 'pgbench'))) throw new Error(`pgbench is not in ${bin}`);
  return bin;
}

/** Postgres refuses to run as root. */
function account() {
  if (process.getuid() !== 0) return {};
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((one) => one.startsWith('postgres:') || one.startsWith('nobody:'));
  const [, , uid, gid] = line.split(':').map(Number);
  return { uid, gid };
}

export class Postgres {
  static async start() {
    const postgres = new Postgres();
    await postgres.#start();
    return postgres;
  }

  async #start() {
    this.bin = programs();
    this.account = account();
    this.folder = mkdtempSync(join(tmpdir(), 'driveline-bench-'));
    chmodSync(this.folder, 0o755);
    if (this.account.uid !== undefined) chownSync(this.folder, this.account.uid, this.account.gid);
    const data = join(this.folder, 'data');
    const options = { ...this.account, cwd: this.folder, stdio: ['ignore', 'ignore', 'inherit'] };
    execFileSync(
      join(this.bin, 'initdb'),
      ['-D', data, '-U', 'driveline', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--data-checksums'],
      options,
    );
    this.child = start(
      join(this.bin, 'postgres'),
      [
        ...['-D', data, '-k', this.folder, '-c', 'listen_addresses='],
        // Of a machine that the shop shares with its database; Postgres itself would take 128 MB.
        ...['-c', 'shared_buffers=512MB', '-c', 'max_connections=200', '-c', 'max_wal_size=4GB'],
      ],
      { ...options, stdio: ['ignore', 'ignore', openSync(join(this.folder, 'log'), 'w')] },
      'SIGINT',
    );
    for (let tries = 0; ; tries += 1) {
      try {
        execFileSync(join(this.bin, 'psql'), [...this.#where('postgres'), '-c', 'SELECT 1'], { stdio: 'ignore' });
        break;
      } catch (error) {
        if (tries > 100) throw error;
        await new Promise((done) => setTimeout(done, 100));
      }
    }
  }

  #where(database) {
    return ['-h', this.folder, '-U', 'driveline', '-d', database, '-X', '-q', '-v', 'ON_ERROR_STOP=1'];
  }

  url(database) {
    return `postgres://driveline@/${database}?host=${encodeURIComponent(this.folder)}`;
  }

  create(database) {
    execFileSync(join(this.bin, 'psql'), [...this.#where('postgres'), '-c', `CREATE DATABASE ${database}`]);
  }

  /** What a statement answers, without decoration. */
  sql(database, statement) {
    const answer = execFileSync(join(this.bin, 'psql'), [...this.#where(database), '-At', '-c', statement], {
      encoding: 'utf8',
      maxBuffer: 1 << 28,
    });
    return answer.trim();
  }

  /** Asks a statement's one number every so many seconds, in one session that lasts until all is stopped. */
  watch(database, statement, every, seen) {
    const psql = start(join(this.bin, 'psql'), [...this.#where(database), '-At'], { stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: psql.stdout }).on('line', (line) => /^[\d.]+$/.test(line) && seen(line));
    psql.stdin.write(`${statement.replaceAll('\n', ' ')} \\watch ${every}\n`);
  }

  file(database, path, variables = {}) {
    const set = Object.entries(variables).flatMap(([name, value]) => ['-v', `${name}=${value}`]);
    execFileSync(join(this.bin, 'psql'), [...this.#where(database), ...set, '-f', path], { stdio: ['ignore', 'ignore', 'inherit'] });
  }

  /** Transactions per second of a script. */
  pgbench(database, script, { clients, seconds, variables = {} }) {
    const set = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`]);
    const answer = execFileSync(
      join(this.bin, 'pgbench'),
      [
        ...['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds), '-f', script, ...set],
        ...['-h', this.folder, '-U', 'driveline', database],
      ],
      { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    );
    return Number(/tps = ([\d.]+)/.exec(answer)?.[1]);
  }

  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
