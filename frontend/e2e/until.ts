import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Looks until something is there, and answers it; for so many milliseconds at most, which by default is longer than the
 * shop needs for anything that it does by itself, on a busy machine too.
 */
export async function until<T>(
  what: string,
  look: () => T | undefined | Promise<T | undefined>,
  within = 90_000,
): Promise<T> {
  const begun = Date.now();
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    if (Date.now() - begun > within) throw new Error(`waited in vain for ${what}`);
    await sleep(50);
  }
}
