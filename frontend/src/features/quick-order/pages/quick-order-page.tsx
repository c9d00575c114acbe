import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useUser } from '@/features/accounts/session/use-session';
import { useBasketChanges } from '@/features/basket/use-basket';
import { buyingPaths } from '@/lib/buying-paths';
import { formatMoney } from '@/lib/money';
import { usePageTitle } from '@/lib/use-page-title';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { notify } from '@/ui/notify';
import { ListInput } from '../components/list-input';
import { RowsList, RowsSkeleton } from '../components/rows-list';
import { messages } from '../messages';
import { groupOf, itemsOf, type Row, type Summary, summaryOf } from '../rows';
import { type QuickOrder, useQuickOrder } from '../use-quick-order';

/** How many lines there are of each kind. */
function Counts({ counts }: { counts: Summary['counts'] }) {
  return (
    <p role="status" className="flex flex-wrap gap-x-4 gap-y-1 font-semibold">
      <span className="text-success">{messages.counts.order(counts.order)}</span>
      {counts.attention > 0 && (
        <span className="text-warning">{messages.counts.attention(counts.attention)}</span>
      )}
      {counts.unknown > 0 && (
        <span className="text-error">{messages.counts.unknown(counts.unknown)}</span>
      )}
    </p>
  );
}

/** What the lines cost, and where they go. It stays in sight. */
function OrderBar({
  rows,
  summary,
  order,
}: {
  rows: readonly Row[];
  summary: Summary;
  order: QuickOrder;
}) {
  const { add } = useBasketChanges();
  const navigate = useNavigate();
  const [busy, setBusy] = useState<'add' | 'checkout' | null>(null);
  const { counts, goods } = summary;
  const left = counts.attention + counts.unknown;

  const put = async (then: 'add' | 'checkout') => {
    setBusy(then);
    const kept = await add(itemsOf(rows));
    setBusy(null);
    if (!kept) return;
    // What is in the basket now would be added once more from here.
    if (left === 0) order.clear();
    else order.drop(rows.filter((row) => groupOf(row) === 'order').map(({ key }) => key));
    if (then === 'checkout') navigate(buyingPaths.checkout);
    else
      notify.success(
        left === 0 ? messages.added(counts.order) : messages.addedSome(counts.order, left),
      );
  };

  return (
    <div className="sticky bottom-0 z-1 mt-4 grid gap-3 rounded-box border border-base-300 bg-surface p-4 shadow-raised sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
      <div>
        <p className="flex items-baseline gap-3">
          <span className="text-muted">{messages.total}</span>
          <span className="font-display text-3xl leading-none font-bold">{formatMoney(goods)}</span>
        </p>
        <p className="text-sm text-muted">
          {left > 0 ? messages.leftOut(left) : messages.totalHint}
        </p>
      </div>
      <div className="flex flex-wrap gap-3 max-sm:*:flex-auto">
        <Button
          data-commands
          variant="outline"
          busy={busy === 'add'}
          disabled={counts.order === 0 || busy !== null}
          onClick={() => void put('add')}
        >
          {messages.add}
        </Button>
        <Button
          data-commands
          busy={busy === 'checkout'}
          disabled={counts.order === 0 || busy !== null}
          onClick={() => void put('checkout')}
        >
          {messages.checkout}
        </Button>
      </div>
    </div>
  );
}

function Results({ rows: latest, order }: { rows: readonly Row[]; order: QuickOrder }) {
  // A thousand lines take their time; the field above answers meanwhile.
  const rows = useDeferredValue(latest);
  const summary = useMemo(() => summaryOf(latest), [latest]);
  if (latest.length === 0) return <Empty title={messages.empty}>{messages.emptyHint}</Empty>;
  return (
    <>
      <div className="mb-4">
        <Counts counts={summary.counts} />
      </div>
      <RowsList rows={rows} summary={summary} order={order} />
      <OrderBar rows={latest} summary={summary} order={order} />
    </>
  );
}

function Screen({ owner }: { owner: string }) {
  const order = useQuickOrder(owner);
  const results = useRef<HTMLHeadingElement>(null);
  const { rows, checking } = order;
  return (
    <>
      <h1 className="heading-mark mb-4 text-4xl sm:text-5xl">{messages.title}</h1>
      <p className="mb-6 text-muted">{messages.intro}</p>
      {order.reordered && (
        <Alert tone="info" className="mb-6">
          {messages.reordered}
        </Alert>
      )}
      <ListInput order={order} onChecked={() => results.current?.focus()} />
      <section aria-labelledby="lines" className="mt-8">
        <h2 id="lines" ref={results} tabIndex={-1} className="mb-4 text-3xl outline-none">
          {messages.results}
        </h2>
        {checking ? (
          <RowsSkeleton />
        ) : rows ? (
          <Results rows={rows} order={order} />
        ) : (
          <Empty title={messages.empty}>{messages.emptyHint}</Empty>
        )}
      </section>
    </>
  );
}

/** Forty numbers at once: pasted, checked, corrected, ordered. */
export default function QuickOrderPage() {
  usePageTitle(messages.title);
  const user = useUser();
  return user && <Screen key={user.email} owner={user.email} />;
}
