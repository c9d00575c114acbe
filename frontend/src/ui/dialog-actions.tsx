import type { ReactNode } from 'react';

/** A dialog’s buttons: together at its right end; on a phone, where long words part them, over its whole width, the last on top. */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-end gap-3 max-sm:flex-wrap-reverse max-sm:*:flex-auto">
      {children}
    </div>
  );
}
