import { useEffect, useId, useRef } from 'react';
import { Alert } from './alert';
import { Button } from './button';
import { Dialog } from './dialog';
import * as messages from './late-messages';

interface ConfirmDialogProps {
  open: boolean;
  title: string;
  /** Line breaks are kept. */
  question: string;
  /** A line below the question: a consequence worth knowing. */
  note?: string | undefined;
  confirm?: string;
  cancel?: string;
  danger?: boolean;
  busy?: boolean;
  /** What went wrong with the last try; shown inside, since toasts are hidden behind a modal. */
  error?: string | null;
  onConfirm: () => void;
  onClose: () => void;
}

export function ConfirmDialog({
  open,
  title,
  question,
  note,
  confirm = messages.yes,
  cancel = messages.no,
  danger = false,
  busy = false,
  error,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const questionId = useId();
  const safe = useRef<HTMLButtonElement>(null);
  // Whoever presses Enter without having read it changes nothing.
  useEffect(() => {
    if (open) safe.current?.focus();
  }, [open]);
  return (
    <Dialog
      open={open}
      asks={questionId}
      title={title}
      onClose={onClose}
      locked={busy}
      footer={
        <>
          <Button ref={safe} variant="outline" onClick={onClose} disabled={busy}>
            {cancel}
          </Button>
          <Button variant={danger ? 'danger' : 'primary'} onClick={onConfirm} busy={busy}>
            {confirm}
          </Button>
        </>
      }
    >
      <div id={questionId}>
        <p className="text-lg whitespace-pre-line">{question}</p>
        {note && <p className="mt-2 text-muted">{note}</p>}
      </div>
      {error && (
        <Alert tone="error" className="mt-4">
          {error}
        </Alert>
      )}
    </Dialog>
  );
}
