import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import * as messages from './late-messages';
import { useModal } from './use-modal';

/** A panel from the left edge, as a native modal dialog: Esc and a click outside close it, the focus comes back. */
export function Drawer({
  open,
  label,
  closeLabel = messages.closeMenu,
  onClose,
  children,
}: {
  open: boolean;
  label: string;
  closeLabel?: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const element = useModal(open, onClose);

  if (!open) return null;
  return (
    <dialog
      ref={element}
      aria-label={label}
      className="drawer m-0 h-dvh max-h-none w-72 max-w-[85vw] overflow-y-auto border-r border-base-300 bg-base-100 p-0 text-base-content"
    >
      <div className="grid gap-2 p-4">
        <button
          type="button"
          className="btn btn-ghost btn-square justify-self-end"
          onClick={onClose}
          aria-label={closeLabel}
        >
          <X aria-hidden="true" className="size-5" />
        </button>
        {children}
      </div>
    </dialog>
  );
}
