import type { ReactNode } from 'react';
import type { OrderReturn } from '@/api/types';
import { formatTime } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { Badge } from '@/ui/badge';
import { messages } from '../messages';

const tones = { requested: 'warning', accepted: 'success', declined: 'neutral' } as const;

function Outcome({ asked }: { asked: OrderReturn }) {
  if (asked.answer) return <p className="break-words">{messages.declined(asked.answer)}</p>;
  if (asked.refunded === null) return null;
  return (
    <p>
      {asked.refunded > 0
        ? messages.refunded(formatMoney(asked.refunded))
        : messages.refundedBefore}
    </p>
  );
}

/** One return: what is to come back, why, and what became of it. */
export function ReturnItem({
  asked,
  admin,
  children,
}: {
  asked: OrderReturn;
  admin: boolean;
  children?: ReactNode;
}) {
  const { state, requestedAt, decidedAt, details } = asked;
  const word = admin && state === 'requested' ? messages.adminRequested : messages.states[state];
  return (
    <li className="grid gap-2">
      <p className="flex flex-wrap items-center gap-2 font-semibold">
        {messages.line(asked.units, asked.reason)} <Badge tone={tones[state]}>{word}</Badge>
      </p>
      {details && <p className="break-words whitespace-pre-line text-muted">{details}</p>}
      <Outcome asked={asked} />
      <p className="text-sm text-muted">
        {messages.asked} <time dateTime={requestedAt}>{formatTime(requestedAt)}</time>
        {decidedAt && (
          <>
            , {messages.answered} <time dateTime={decidedAt}>{formatTime(decidedAt)}</time>
          </>
        )}
      </p>
      {children}
    </li>
  );
}
