// Whatever the bench started and has not stopped is stopped when it ends, however it ends.
import { spawn } from 'node:child_process';

const running = new Map();

/** Starts a program; `signal` is how it is stopped if nobody else does. */
export function start(program, args, options, signal = 'SIGTERM') {
  const child = spawn(program, args, options);
  running.set(child, signal);
  child.once('exit', () => running.delete(child));
  return child;
}

/** Stops one child and waits until it has ended. */
export async function stop(child, signal = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const over = new Promise((done) => child.once('exit', done));
  child.kill(signal);
  await over;
}

export async function stopAll() {
  // The last one started may use what was started before.
  for (const [child, signal] of [...running].reverse()) await stop(child, signal);
}

for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  process.once(signal, () => void stopAll().finally(() => process.exit(status)));
}
