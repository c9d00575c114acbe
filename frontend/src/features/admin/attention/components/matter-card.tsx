import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Attention } from '@/api/types';
import { formatTime } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { Badge } from '@/ui/badge';
import { ButtonLink } from '@/ui/button';
import { ConfirmedButton } from '@/ui/confirmed-button';
import {
  useAcknowledgeDisputeMutation,
  useAcknowledgeRefundMutation,
  useRetryRefundMutation,
  useSendPaymentBackMutation,
} from '../api';
import { kinds, reasonOf } from '../labels';
import { messages } from '../messages';
import { BankTransfer } from './bank-transfer';

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-sm font-semibold text-muted">{name}</dt>
      <dd className="break-words">{children}</dd>
    </div>
  );
}

/** What can be done about it here. */
function Actions({ matter, onDone }: { matter: Attention; onDone: (text: string) => void }) {
  const [retry] = useRetryRefundMutation();
  const [sendBack] = useSendPaymentBackMutation();
  const [acknowledgeRefund] = useAcknowledgeRefundMutation();
  const [acknowledgeDispute] = useAcknowledgeDisputeMutation();
  const amount = formatMoney(matter.amount);
  switch (matter.kind) {
    case 'mismatched':
      return (
        <ConfirmedButton
          label={messages.sendBack.button}
          context={messages.sendBack.of(matter.name)}
          question={messages.sendBack.question}
          note={messages.sendBack.note(matter.name)}
          danger
          onConfirm={() => sendBack(matter.id)}
          onDone={() => onDone(messages.sendBack.done)}
        />
      );
    case 'refundFailed':
      return (
        <>
          <ConfirmedButton
            label={messages.retry.button}
            context={messages.retry.to(matter.name)}
            question={messages.retry.question(amount, matter.name)}
            note={messages.retry.note}
            onConfirm={() => retry(matter.id)}
            onDone={() => onDone(messages.retry.done)}
          />
          <BankTransfer matter={matter} onDone={() => onDone(messages.bankTransfer.done)} />
        </>
      );
    case 'refundedElsewhere':
      return matter.shipped ? (
        <ConfirmedButton
          label={messages.remove.button}
          context={matter.productName}
          question={messages.remove.refundQuestion}
          onConfirm={() => acknowledgeRefund(matter.id)}
          onDone={() => onDone(messages.remove.done)}
        />
      ) : null;
    case 'disputeLost':
      return (
        <ConfirmedButton
          label={messages.remove.button}
          context={matter.productName}
          question={messages.remove.disputeQuestion}
          onConfirm={() => acknowledgeDispute(matter.id)}
          onDone={() => onDone(messages.remove.done)}
        />
      );
    case 'return':
      return (
        <ButtonLink to={paths.order(matter.orderId)}>
          {messages.answerReturn}
          <span className="sr-only"> {messages.sendBack.of(matter.name)}</span>
        </ButtonLink>
      );
    default:
      return null;
  }
}

function stateOf({ cancelled, shipped }: Attention): string {
  if (cancelled) return messages.state.canceled;
  return shipped ? messages.state.shipped : messages.state.waiting;
}

/** One matter: what happened, to whose money, and what to do about it. */
export function MatterCard({
  matter,
  onDone,
}: {
  matter: Attention;
  onDone: (text: string) => void;
}) {
  const { title, tone, explain } = kinds[matter.kind];
  return (
    <li
      className={`card-surface grid gap-4 border-l-4 p-4 sm:p-6 ${tone === 'error' ? 'border-l-error' : 'border-l-warning'}`}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="flex flex-wrap items-center gap-3 text-2xl">
          {title} <Badge tone={tone}>{formatMoney(matter.amount)}</Badge>
        </h2>
        <p className="text-sm text-muted">
          {messages.since} <time dateTime={matter.since}>{formatTime(matter.since)}</time>
        </p>
      </div>
      <p className="max-w-prose">{explain(matter)}</p>
      <dl className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
        <Fact name={messages.customer}>
          {matter.name}
          <br />
          <span className="text-sm break-all text-muted">{matter.email}</span>
        </Fact>
        <Fact name={messages.order}>
          {matter.cancelled ? (
            matter.productName
          ) : (
            <Link className="link-accent" to={paths.order(matter.orderId)}>
              {matter.productName}
            </Link>
          )}
          <br />
          <span className="text-sm text-muted">
            {formatMoney(matter.total)}, {stateOf(matter)}
          </span>
        </Fact>
        <Fact name={messages.payment}>
          <span className="break-all">{matter.transactionId}</span>
        </Fact>
        {matter.reason && (
          <Fact name={matter.kind === 'return' ? messages.details : messages.reason}>
            {matter.kind === 'return' ? matter.reason : reasonOf(matter.reason)}
          </Fact>
        )}
      </dl>
      <div className="flex flex-wrap gap-3 empty:hidden">
        <Actions matter={matter} onDone={onDone} />
      </div>
    </li>
  );
}
