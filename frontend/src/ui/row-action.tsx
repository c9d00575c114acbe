import type { ReactNode } from 'react';

/** What stands beside the fields of a row: as high as their inputs, below the room that they have for a label. */
export function RowAction({ children }: { children: ReactNode }) {
  return (
    <div className="grid justify-items-start gap-1.5">
      <span aria-hidden="true" className="invisible font-semibold max-sm:hidden">
        &nbsp;
      </span>
      {children}
    </div>
  );
}
