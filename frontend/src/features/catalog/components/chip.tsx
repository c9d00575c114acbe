import type { ReactNode } from 'react';
import { cx } from '@/ui/cx';

interface ChipProps {
  chosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}

/** One of a few values, to be had with one press. */
export function Chip({ chosen, onChoose, children }: ChipProps) {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className={cx(
        'min-h-11 shrink-0 cursor-pointer rounded-selector border px-3 text-sm font-semibold',
        chosen
          ? 'border-primary bg-primary text-primary-content'
          : 'border-edge bg-surface hover:border-base-content',
      )}
    >
      {children}
    </button>
  );
}
