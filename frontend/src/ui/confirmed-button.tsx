import { useEffect, useState } from 'react';
import { type CallError, type Problem, problemOf } from '@/api/problem';
import { Button } from './button';
import { ConfirmDialog } from './confirm-dialog';
import { keepPlace } from './keep-place';
import { showOnPage } from './page-level';

interface Question {
  /** Line breaks are kept. */
  question: string;
  note?: string | undefined;
  danger?: boolean;
  /** Does it; answers what RTK Query's mutations do. */
  onConfirm: () => Promise<{ error?: CallError | undefined }>;
  /** What the question says after a failure, the server's message by default; null to treat the failure as success. */
  messageOf?: (problem: Problem) => string | null;
  /** Called once the question has gone. */
  onDone?: () => void;
}

interface ConfirmedButtonProps extends Question {
  label: string;
  /** Which row the button belongs to, for who cannot see that. */
  context: string;
  variant?: 'primary' | 'outline';
  disabled?: boolean;
  /** The id of what says why it is off. */
  describedBy?: string | undefined;
  /** The question's heading, where it is not the label. */
  title?: string;
}

interface AskedProps extends Question {
  title: string;
  /** Gives the keyboard its place back. */
  leave: () => void;
}

/** The question by itself: whatever becomes of the button, it stays until it is answered. */
function Asked({
  title,
  question,
  note,
  danger = false,
  onConfirm,
  messageOf = ({ message }) => message,
  onDone,
  leave,
}: AskedProps) {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  // Once the dialog has gone, and has done with the focus.
  useEffect(() => leave, [leave]);

  const confirm = async () => {
    setFailure(null);
    setBusy(true);
    const { error } = await onConfirm();
    setBusy(false);
    const shown = error ? messageOf(problemOf(error)) : null;
    if (shown !== null) {
      setFailure(shown);
      return;
    }
    showOnPage(null);
    onDone?.();
  };

  return (
    <ConfirmDialog
      open
      title={title}
      question={question}
      note={note}
      danger={danger}
      busy={busy}
      error={failure}
      onConfirm={confirm}
      onClose={() => showOnPage(null)}
    />
  );
}

/**
 * A button that acts after a question is confirmed. After a failure the question stays, says so, and lets one try again,
 * also where the failure took the button away.
 */
export function ConfirmedButton({
  label,
  context,
  variant = 'outline',
  disabled = false,
  describedBy,
  title = label,
  ...question
}: ConfirmedButtonProps) {
  return (
    <Button
      variant={variant}
      disabled={disabled}
      aria-describedby={describedBy}
      aria-haspopup="dialog"
      onClick={({ currentTarget }) =>
        showOnPage(<Asked {...question} title={title} leave={keepPlace(currentTarget)} />)
      }
    >
      {label}
      <span className="sr-only"> {context}</span>
    </Button>
  );
}
