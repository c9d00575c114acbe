import type { ReactNode } from 'react';
import type { CallError } from '@/api/problem';
import { cx } from '@/ui/cx';
import { ErrorState } from '@/ui/error-state';
import { Skeleton } from '@/ui/skeleton';

interface SectionCardProps<Data> {
  /** Unique on the page: the heading's, which names the section. */
  id: string;
  title: string;
  note: string;
  answer: {
    data?: Data | undefined;
    currentData?: Data | undefined;
    error?: CallError | undefined;
    isError: boolean;
    isFetching: boolean;
    refetch: () => unknown;
  };
  loading: string;
  failed: string;
  children: (data: Data) => ReactNode;
}

/** A part of the overview with a call of its own: its figures, or that they load, or why not. */
export function SectionCard<Data>({
  id,
  title,
  note,
  answer,
  loading,
  failed,
  children,
}: SectionCardProps<Data>) {
  const { currentData, data, error, isError, isFetching, refetch } = answer;
  // As on the whole page: the last answer stays, dimmed, while another period loads.
  const shown = currentData ?? (isError ? undefined : data);
  if (shown === undefined && isError && !isFetching) {
    return <ErrorState title={failed} error={error} onRetry={() => void refetch()} />;
  }
  return (
    <section
      aria-labelledby={id}
      aria-busy={isFetching || undefined}
      className="card-surface grid min-w-0 content-start gap-5 p-4 sm:p-6"
    >
      <div>
        <h2 id={id} className="text-2xl">
          {title}
        </h2>
        <p className="text-sm text-muted">{note}</p>
      </div>
      {shown === undefined ? (
        <div role="status" aria-label={loading} className="grid gap-3">
          {[0, 1, 2, 3, 4].map((place) => (
            <Skeleton key={place} className="h-12 w-full" />
          ))}
        </div>
      ) : (
        <div className={cx('grid gap-5 transition-opacity', isFetching && 'opacity-60')}>
          {children(shown)}
        </div>
      )}
    </section>
  );
}
