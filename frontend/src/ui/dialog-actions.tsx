import type { ReactNode } from 'react';

/**
 * A dialog's buttons: together at its right end. On a phone they take its whole width, and where long words part them the
 * last, the primary one, is on top.
 */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-end gap-3 max-sm:flex-wrap-reverse max-sm:*:flex-auto">
      {children}
    </div>
  );
}
