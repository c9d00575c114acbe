import type { FetchBaseQueryMeta, QueryReturnValue } from '@reduxjs/toolkit/query';
import type { ShopArgs } from '@/api/base-query';
import type { Problem } from '@/api/problem';
import { fileNameOf, saveFile } from '@/lib/save-file';

/** Thousands of rows may take longer than a screen is given. */
const TIMEOUT = 60_000;

type Answer = QueryReturnValue<unknown, Problem, FetchBaseQueryMeta>;

/**
 * The `queryFn` of an export. The file needs the bearer, so it cannot be a mere link: it is fetched like any call of the
 * client and then handed to the browser under the name that the shop gives it. Nothing of it stays in the cache.
 */
export function exportOf(url: string) {
  return async (
    query: object,
    _api: unknown,
    _extra: unknown,
    fetchFile: (args: ShopArgs) => Answer | PromiseLike<Answer>,
  ): Promise<{ data: null } | { error: Problem }> => {
    const answer = await fetchFile({
      url,
      params: { ...query },
      timeout: TIMEOUT,
      responseHandler: (response) =>
        response.ok ? response.blob() : response.json().catch(() => undefined),
    });
    if (answer.error) return { error: answer.error };
    const disposition = answer.meta?.response?.headers.get('Content-Disposition') ?? null;
    saveFile(answer.data as Blob, fileNameOf(disposition, url.split('/').at(-1) ?? url));
    return { data: null };
  };
}
