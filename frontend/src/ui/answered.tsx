import type { ReactNode } from 'react';
import type { CallError } from '@/api/problem';
import { ErrorState } from './error-state';
import { TableSkeleton } from './table-skeleton';

/** What RTK Query knows of a call. */
export interface QueryAnswer<Data> {
  data?: Data | undefined;
  error?: CallError | undefined;
  isError: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

interface AnsweredProps<Data> {
  answer: QueryAnswer<Data>;
  /** What is said while nothing is known, and once it is known that it failed. */
  loading: string;
  failed: string;
  /** Instead of a table's grey rows. */
  skeleton?: ReactNode;
  rows?: number;
  children: (data: Data) => ReactNode;
}

/** What was asked for, or that it is on its way, or that it failed. What is known stays while it is asked for again. */
export function Answered<Data>({
  answer: { data, error, isError, isFetching, refetch },
  loading,
  failed,
  skeleton,
  rows = 4,
  children,
}: AnsweredProps<Data>): ReactNode {
  if (data !== undefined) return children(data);
  if (isError && !isFetching) {
    return <ErrorState title={failed} error={error} onRetry={() => void refetch()} />;
  }
  return skeleton ?? <TableSkeleton rows={rows} label={loading} />;
}
