import { X } from 'lucide-react';
import { type ReactNode, useCallback, useId } from 'react';
import { cx } from './cx';
import { DialogActions } from './dialog-actions';
import * as messages from './late-messages';
import { useModal } from './use-modal';

interface DialogProps {
  open: boolean;
  title: string;
  onClose: () => void;
  children: ReactNode;
  /** Under the content: the buttons. */
  footer?: ReactNode;
  wide?: boolean;
  /** For a question: the id of what is asked, which is read out with the title. */
  asks?: string;
  /** Esc, the cross and a click outside do nothing while this is true, as during a submit. */
  locked?: boolean;
}

/** A modal dialog. It lives in the top layer, above toasts, so show errors inside it and close it before toasting. */
export function Dialog({
  open,
  title,
  onClose,
  children,
  footer,
  wide = false,
  asks,
  locked = false,
}: DialogProps) {
  const close = useCallback(() => {
    if (!locked) onClose();
  }, [locked, onClose]);
  const element = useModal(open, close);
  const titleId = useId();

  if (!open) return null;
  return (
    <dialog
      ref={element}
      role={asks && 'alertdialog'}
      aria-labelledby={titleId}
      aria-describedby={asks}
      className={cx(
        'm-auto max-h-[calc(100dvh-2rem)] w-[calc(100%-2rem)] overflow-y-auto rounded-box border border-base-300 bg-base-100 p-0 text-base-content shadow-raised',
        wide ? 'max-w-2xl' : 'max-w-lg',
      )}
    >
      <div className="p-6">
        <div className="mb-4 flex items-start justify-between gap-4">
          <h2 id={titleId} className="pt-1.5 text-3xl">
            {title}
          </h2>
          <button
            type="button"
            className="btn btn-ghost btn-square -mt-1 -mr-2 shrink-0"
            onClick={onClose}
            disabled={locked}
            aria-label={messages.close}
          >
            <X aria-hidden="true" className="size-5" />
          </button>
        </div>
        {children}
        {footer && (
          <div className="mt-6">
            <DialogActions>{footer}</DialogActions>
          </div>
        )}
      </div>
    </dialog>
  );
}
