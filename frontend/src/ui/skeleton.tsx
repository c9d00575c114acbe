import { cx } from './cx';

/** A grey placeholder where content will stand. Give it the size of that content. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden="true" className={cx('skeleton block bg-base-300', className)} />;
}
