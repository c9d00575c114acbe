import { X } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import * as messages from './messages';

/** A panel from the left edge, as a native modal dialog: Esc and a click outside close it, the focus comes back. */
export function Drawer({
  open,
  label,
  onClose,
  children,
}: {
  open: boolean;
  label: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const element = useRef<HTMLDialogElement>(null);

  useLayoutEffect(() => {
    const dialog = element.current;
    if (!dialog || !open) return;
    const opener = document.activeElement;
    dialog.showModal();
    return () => {
      dialog.close();
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, [open]);

  useEffect(() => {
    const dialog = element.current;
    if (!dialog || !open) return;
    const onCancel = (event: Event) => {
      event.preventDefault();
      onClose();
    };
    const onPointer = (event: PointerEvent) => {
      if (event.target === dialog) onClose();
    };
    dialog.addEventListener('cancel', onCancel);
    dialog.addEventListener('pointerdown', onPointer);
    return () => {
      dialog.removeEventListener('cancel', onCancel);
      dialog.removeEventListener('pointerdown', onPointer);
    };
  }, [open, onClose]);

  if (!open) return null;
  return (
    <dialog
      ref={element}
      aria-label={label}
      className="m-0 h-dvh max-h-none w-72 max-w-[85vw] overflow-y-auto border-r border-base-300 bg-base-100 p-0 text-base-content"
    >
      <div className="grid gap-2 p-4">
        <button
          type="button"
          className="btn btn-ghost btn-square justify-self-end"
          onClick={onClose}
          aria-label={messages.closeMenu}
        >
          <X aria-hidden="true" className="size-5" />
        </button>
        {children}
      </div>
    </dialog>
  );
}
