import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Alert } from './alert';
import * as messages from './late-messages';

/** A message that stays in sight while the page scrolls, until it is dismissed. It is read out at once and stops nobody. */
export function PersistentAlert({
  tone,
  onDismiss,
  children,
}: {
  tone: 'success' | 'error';
  onDismiss: () => void;
  children: ReactNode;
}) {
  return (
    <div className="sticky top-20 z-30 mb-6">
      <Alert tone={tone} className="relative pr-14 shadow-raised">
        {children}
        <button
          type="button"
          className="absolute top-1 right-1 grid size-11 cursor-pointer place-content-center"
          onClick={onDismiss}
          aria-label={messages.dismiss}
        >
          <X aria-hidden="true" className="size-5" />
        </button>
      </Alert>
    </div>
  );
}
