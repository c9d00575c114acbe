import { cx } from '@/ui/cx';
import { Skeleton } from '@/ui/skeleton';

/** Side menu beside the screen; on small screens the screen alone. */
export const dashboardFrame = 'shell grid gap-8 py-8 not-print:lg:grid-cols-[14rem_minmax(0,1fr)]';

/** As long as a menu, so that nothing moves once it is known whose menu it is. */
export function MenuSkeleton() {
  return (
    <div className="grid gap-6 p-3">
      {['w-24', 'w-32', 'w-28', 'w-36', 'w-40'].map((width) => (
        <Skeleton key={width} className={cx('h-6', width)} />
      ))}
    </div>
  );
}

/** The dashboard while it is not even known who is asking. */
export function DashboardSkeleton() {
  return (
    <div className={dashboardFrame}>
      <div className="max-lg:hidden">
        <MenuSkeleton />
      </div>
      <div className="grid content-start gap-6">
        <Skeleton className="h-12 w-48" />
        <Skeleton className="h-64" />
      </div>
    </div>
  );
}
