import { formatDay, formatTime } from '@/lib/dates';
import { Badge } from '@/ui/badge';
import { stateOf } from '../facts';
import { purchaseMessages as messages } from '../messages';
import type { Purchase, PurchaseSummary } from '../wire';

/** When it was placed, under which PO number, how much of it there is. */
export function PurchaseReference({
  purchase: { placedAt, poNumber },
  lines,
}: {
  purchase: Pick<PurchaseSummary, 'placedAt' | 'poNumber'>;
  lines: string;
}) {
  return (
    <p className="text-sm text-muted wrap-anywhere">
      <time dateTime={placedAt}>{messages.placedOn(formatDay(placedAt))}</time>
      {' · '}
      {lines}
      {poNumber && (
        <>
          {' · '}
          <span className="font-semibold text-base-content">{messages.po(poNumber)}</span>
        </>
      )}
    </p>
  );
}

export function PurchaseBadge({ state }: Pick<PurchaseSummary, 'state'>) {
  const { tone, label } = stateOf(state);
  return <Badge tone={tone}>{label}</Badge>;
}

/** What happens next with a purchase that is not paid. */
export function NextStep({
  purchase: { state, reservedUntil, terms },
}: {
  purchase: Pick<Purchase, 'state' | 'reservedUntil' | 'terms'>;
}) {
  if (state === 'waiting') return <p>{messages.next.waiting}</p>;
  if (state !== 'unpaid') return null;
  if (terms === 'account') return <p>{messages.next.account}</p>;
  if (!reservedUntil) return null;
  return (
    <p>
      {messages.next.unpaidUntil} <time dateTime={reservedUntil}>{formatTime(reservedUntil)}</time>.{' '}
      {messages.next.elseCanceled}
    </p>
  );
}
