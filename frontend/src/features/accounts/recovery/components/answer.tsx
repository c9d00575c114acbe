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
