import { useState } from 'react';

/**
 * The state of a dialog with a form that the shop may refuse: whether it is open, and what was said of the last try. Whoever
 * closes it after a refusal has read that the screen is old: `onRefused` asks anew then, and not before, since that may take
 * the dialog away.
 */
export function useFormDialog(onRefused: () => void) {
  const [open, setOpen] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const close = () => {
    setOpen(false);
    if (failure === null) return;
    setFailure(null);
    onRefused();
  };
  return {
    open,
    failure,
    setFailure,
    show: () => setOpen(true),
    close,
    finish: () => setOpen(false),
  };
}
