import type { ReactNode } from 'react';

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
