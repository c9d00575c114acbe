import type { FetchBaseQueryMeta, QueryReturnValue } from '@reduxjs/toolkit/query';
import { fileNameOf, saveFile } from '@/lib/save-file';
import type { ShopArgs } from './base-query';
import type { Problem } from './problem';

/** A large file may take longer than a screen is given. */
const TIMEOUT = 60_000;

type Answer = QueryReturnValue<unknown, Problem, FetchBaseQueryMeta>;

/**
 * Fetches a file that needs the bearer, and so cannot be a mere link, and hands it to the browser under the name that the shop
 * gives it. Nothing of it stays in the cache.
 */
export async function savedFile(
  fetchFile: (args: ShopArgs) => Answer | PromiseLike<Answer>,
  { url, ...args }: Pick<ShopArgs, 'url' | 'params'>,
): Promise<{ data: null } | { error: Problem }> {
  const answer = await fetchFile({
    url,
    ...args,
    timeout: TIMEOUT,
    responseHandler: (response) =>
      response.ok ? response.blob() : response.json().catch(() => undefined),
  });
  if (answer.error) return { error: answer.error };
  const disposition = answer.meta?.response?.headers.get('Content-Disposition') ?? null;
  saveFile(answer.data as Blob, fileNameOf(disposition, url.split('/').at(-1) ?? url));
  return { data: null };
}
