import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';

/** Whether the pointer is beside the dialog. On its own scrollbar the dialog is the target too. */
function isOutside(dialog: HTMLDialogElement, { target, clientX, clientY }: MouseEvent): boolean {
  if (target !== dialog) return false;
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}

/**
 * A native modal dialog for as long as it is `open`: the browser keeps the focus inside, and it goes back to where it was.
 * Esc asks to close, and so does a click outside that also began there: whoever selects a text may let go anywhere.
 */
export function useModal(open: boolean, onClose: () => void): RefObject<HTMLDialogElement | null> {
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
    let beganOutside = false;
    const onCancel = (event: Event) => {
      event.preventDefault();
      onClose();
    };
    const onDown = (event: PointerEvent) => {
      beganOutside = isOutside(dialog, event);
    };
    const onClick = (event: MouseEvent) => {
      if (beganOutside && isOutside(dialog, event)) onClose();
      beganOutside = false;
    };
    dialog.addEventListener('cancel', onCancel);
    dialog.addEventListener('pointerdown', onDown);
    dialog.addEventListener('click', onClick);
    return () => {
      dialog.removeEventListener('cancel', onCancel);
      dialog.removeEventListener('pointerdown', onDown);
      dialog.removeEventListener('click', onClick);
    };
  }, [open, onClose]);

  return element;
}
