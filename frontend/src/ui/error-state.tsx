import { type CallError, problemOf } from '@/api/problem';
import { Button } from './button';
import * as messages from './messages';

/** Something failed: says what, why, and offers to try again. `error` is what RTK Query returns. */
export function ErrorState({
  title,
  error,
  onRetry,
  busy = false,
}: {
  title: string;
  error: CallError | undefined;
  onRetry: () => void;
  busy?: boolean;
}) {
  return (
    <div
      role="alert"
      className="card-surface grid justify-items-center gap-3 border-l-4 border-l-error px-6 py-14 text-center"
    >
      <h2 className="text-2xl">{title}</h2>
      <p className="max-w-prose text-muted">{problemOf(error).message}</p>
      <Button variant="outline" onClick={onRetry} busy={busy}>
        {messages.retry}
      </Button>
    </div>
  );
}
