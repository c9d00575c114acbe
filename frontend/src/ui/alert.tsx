import { CircleAlert, CircleCheck, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from './cx';

type Tone = 'success' | 'error' | 'info';

const tones = {
  success: { icon: CircleCheck, textColor: 'text-success', edge: 'border-l-success' },
  error: { icon: CircleAlert, textColor: 'text-error', edge: 'border-l-error' },
  info: { icon: Info, textColor: 'text-info', edge: 'border-l-info' },
} as const;

/** A message in the page that is read out at once and stops nobody. */
export function Alert({
  tone,
  children,
  className,
}: {
  tone: Tone;
  children: ReactNode;
  className?: string;
}) {
  const { icon: Icon, textColor, edge } = tones[tone];
  return (
    <div
      role={tone === 'info' ? 'note' : 'alert'}
      className={cx('card-surface flex gap-3 border-l-4 p-4', edge, className)}
    >
      <Icon aria-hidden="true" className={cx('mt-0.5 size-5 shrink-0', textColor)} />
      <div className="min-w-0">{children}</div>
    </div>
  );
}
