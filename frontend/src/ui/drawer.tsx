import { X } from 'lucide-react';
import type { CSSProperties, ReactNode } from 'react';
import { cx } from './cx';
import * as messages from './late-messages';
import { useModal } from './use-modal';

/** Where it comes from when it opens. */
const fromEnd = { '--from': '2rem 0' } as CSSProperties;

/** A panel from the left edge, or a wider one from the right, as a native modal dialog: Esc and a click outside close it, the focus comes back. */
export function Drawer({
  open,
  label,
  heading,
  closeLabel = messages.closeMenu,
  atEnd = false,
  onClose,
  children,
}: {
  open: boolean;
  label: string;
  /** What is written above its content. */
  heading?: string;
  closeLabel?: string;
  atEnd?: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const element = useModal(open, onClose);

  if (!open) return null;
  return (
    <dialog
      ref={element}
      style={atEnd ? fromEnd : undefined}
      aria-label={label}
      className={cx(
        'drawer m-0 h-dvh max-h-none overflow-y-auto border-base-300 bg-base-100 p-0 text-base-content',
        atEnd ? 'ml-auto w-full max-w-md border-l' : 'w-72 max-w-[85vw] border-r',
      )}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-2 p-4">
        <div className="flex items-center justify-between gap-4">
          <span aria-hidden="true" className="font-display text-2xl font-bold uppercase">
            {heading}
          </span>
          <button
            type="button"
            className="btn btn-ghost btn-square"
            onClick={onClose}
            aria-label={closeLabel}
          >
            <X aria-hidden="true" className="size-5" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  );
}
