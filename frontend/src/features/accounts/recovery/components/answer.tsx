import type { ReactNode } from 'react';
import { Alert } from '@/ui/alert';

/** How it ended, in the form's place, and where to go from there. */
export function Answer({
  tone,
  message,
  children,
}: {
  tone: 'success' | 'error';
  message: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="grid gap-6">
      <Alert tone={tone}>{message}</Alert>
      <div className="flex flex-wrap gap-3">{children}</div>
    </div>
  );
}

/** For a link that lost its end on the way. */
export const CUT_LINK =
  'This link is not whole. Open it from the e-mail again, or copy all of it into the address bar.';
