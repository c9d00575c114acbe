import type { FetchBaseQueryMeta, QueryReturnValue } from '@reduxjs/toolkit/query';
import type { ShopArgs } from '@/api/base-query';
import type { Problem } from '@/api/problem';
import { savedFile } from '@/api/saved-file';

type Answer = QueryReturnValue<unknown, Problem, FetchBaseQueryMeta>;

/** The `queryFn` of an export, which saves its answer as a file. */
export function exportOf(url: string) {
  return (
    query: object,
    _api: unknown,
    _extra: unknown,
    fetchFile: (args: ShopArgs) => Answer | PromiseLike<Answer>,
  ) => savedFile(fetchFile, { url, params: { ...query } });
}
