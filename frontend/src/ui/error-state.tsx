import type { ReactNode } from 'react';
import { type CallError, problemOf } from '@/api/problem';
import { Button } from './button';

/** A place with nothing in it yet: says so, and what to do next. */
export function Empty({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="card-surface grid justify-items-center gap-3 px-6 py-14 text-center">
      <div className="ticks w-32 text-edge" aria-hidden="true" />
      <h2 className="text-2xl">{title}</h2>
      {children && <p className="max-w-prose text-muted">{children}</p>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  );
}

/** Something failed: says what, why, and offers to try again. `error` is what RTK Query returns. */
export function ErrorState({
  title,
  error,
  onRetry,
  busy = false,
}: {
  title: string;
  error: CallError | undefined;
  onRetry: () => void;
  busy?: boolean;
}) {
  return (
    <div
      role="alert"
      className="card-surface grid justify-items-center gap-3 border-l-4 border-l-error px-6 py-14 text-center"
    >
      <h2 className="text-2xl">{title}</h2>
      <p className="max-w-prose text-muted">{problemOf(error).message}</p>
      <Button variant="outline" onClick={onRetry} busy={busy}>
        Retry
      </Button>
    </div>
  );
}
