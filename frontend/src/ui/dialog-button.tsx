import { type ReactNode, useEffect } from 'react';
import { Button } from './button';
import { keepPlace } from './keep-place';
import { showOnPage } from './page-level';

interface DialogButtonProps {
  label: string;
  /** Which row the button belongs to, for who cannot see that. */
  context: string;
  variant?: 'outline' | 'ghost';
  /** The dialog, as it is when it opens; it has to call what it is given in order to close. */
  children: (close: () => void) => ReactNode;
}

const close = () => showOnPage(null);

function Standing({ leave, children }: { leave: () => void; children: ReactNode }) {
  // Once the dialog has gone, and has done with the focus.
  useEffect(() => leave, [leave]);
  return children;
}

/**
 * A button whose dialog stands at page level: a list that is asked anew may lose the row, while what was typed has to stay,
 * and what the shop said of it.
 */
export function DialogButton({ label, context, variant = 'outline', children }: DialogButtonProps) {
  return (
    <Button
      variant={variant}
      aria-haspopup="dialog"
      onClick={({ currentTarget }) =>
        showOnPage(<Standing leave={keepPlace(currentTarget)}>{children(close)}</Standing>)
      }
    >
      {label}
      <span className="sr-only"> {context}</span>
    </Button>
  );
}
