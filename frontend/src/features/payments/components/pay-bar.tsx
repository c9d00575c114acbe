import { LockKeyhole } from 'lucide-react';
import { useId } from 'react';
import { Button } from '@/ui/button';
import type { Confirmation } from '../gateway';
import { messages } from '../messages';

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
        {messages.card.pay(amount)}
      </Button>
      {!ready && (
        <p id={id} role="status" className="text-sm text-muted">
          {messages.card.preparing}
        </p>
      )}
      {message && (
        <div role="alert">
          <p className="font-semibold text-error">{message.message}</p>
          {message.kind === 'unanswered' && (
            <p className="mt-1 text-muted">{messages.card.unknown}</p>
          )}
        </div>
      )}
    </div>
  );
}
