import { LockKeyhole } from 'lucide-react';
import { useId } from 'react';
import { Button } from '@/ui/button';
import type { Confirmation } from '../gateway';

/** The provider's message, and below it the button that every card form ends with. */
export function PayBar({
  ready,
  busy,
  amount,
  outcome,
}: {
  /** Whether the shop's secret is there, without which nothing can be paid. */
  ready: boolean;
  busy: boolean;
  amount: string;
  outcome: Confirmation | null;
}) {
  const id = useId();
  const message = outcome && outcome.kind !== 'paid' ? outcome : null;
  return (
    <div className="grid gap-4">
      <Button
        type="submit"
        className="btn-lg w-full"
        disabled={!ready}
        busy={busy}
        aria-describedby={ready ? undefined : id}
      >
        <LockKeyhole aria-hidden="true" className="size-5" />
        Pay {amount}
      </Button>
      {!ready && (
        <p id={id} role="status" className="text-sm text-muted">
          The payment is being prepared…
        </p>
      )}
      {message && (
        <div role="alert">
          <p className="font-semibold text-error">{message.message}</p>
          {message.kind === 'unanswered' && (
            <p className="mt-1 text-muted">
              It is not known whether the payment arrived. Press Pay again: you are charged once at
              most.
            </p>
          )}
        </div>
      )}
    </div>
  );
}
