import { Skeleton } from './skeleton';

/** As many table rows as will roughly come. */
export function TableSkeleton({ rows = 6, label }: { rows?: number; label: string }) {
  return (
    <div role="status" aria-label={label} className="card-surface divide-y divide-base-300">
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
        <div key={index} className="flex items-center gap-4 p-4">
          <Skeleton className="h-4 w-8" />
          <Skeleton className="h-4 flex-1" />
          <Skeleton className="h-4 w-20 max-sm:hidden" />
          <Skeleton className="h-8 w-24" />
        </div>
      ))}
    </div>
  );
}
