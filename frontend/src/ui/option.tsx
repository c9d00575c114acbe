import { type ReactNode, useEffect, useRef } from 'react';
import { cx } from './cx';

interface OptionProps {
  id: string;
  active: boolean;
  onPoint: () => void;
  onChoose: () => void;
  children: ReactNode;
}

/** What can be chosen in a combobox's list. The focus stays in the field, which names the active one. */
export function Option({ id, active, onPoint, onChoose, children }: OptionProps) {
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (active) element.current?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard, and its keys choose.
    <div
      ref={element}
      id={id}
      role="option"
      aria-selected={active}
      tabIndex={-1}
      className={cx(
        'flex min-h-11 cursor-pointer items-center gap-3 rounded-field px-3 py-1',
        active && 'bg-base-300 shadow-[inset_3px_0_0_var(--color-primary)]',
      )}
      onPointerDown={(event) => event.preventDefault()}
      onPointerMove={onPoint}
      onClick={onChoose}
    >
      {children}
    </div>
  );
}
