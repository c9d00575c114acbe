import type { ReactNode } from 'react';
import { cx } from './cx';

type Tone = 'neutral' | 'success' | 'warning' | 'error' | 'accent';

const tones: Record<Tone, string> = {
  neutral: 'border-edge text-base-content',
  success: 'border-success text-success',
  warning: 'border-warning text-warning',
  error: 'border-error text-error',
  accent: 'border-accent text-accent',
};

export function Badge({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={cx(
        'badge h-auto min-h-6 border bg-transparent px-2 py-0.5 text-sm whitespace-nowrap',
        tones[tone],
      )}
    >
      {children}
    </span>
  );
}
