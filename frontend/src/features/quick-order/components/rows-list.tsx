import { type KeyboardEvent, startTransition, useEffect, useMemo, useState } from 'react';
import { Button } from '@/ui/button';
import { SegmentedControl } from '@/ui/segmented-control';
import { Skeleton } from '@/ui/skeleton';
import { messages } from '../messages';
import { groupOf, type Row, type Summary } from '../rows';
import type { QuickOrder } from '../use-quick-order';
import { RowItem } from './row-item';

/** How many rows are drawn at once; the others follow without holding the page up. */
const FIRST = 40;
const SLICE = 120;

/** How many of `all` are drawn by now. */
function useSlices(all: number): number {
  const [drawn, setDrawn] = useState(FIRST);
  useEffect(() => {
    if (drawn >= all) return;
    const timer = setTimeout(() => startTransition(() => setDrawn((count) => count + SLICE)));
    return () => clearTimeout(timer);
  }, [drawn, all]);
  return drawn;
}

/** Enter leads on to the next quantity, Shift and Enter back, as in a spreadsheet. */
function toNextQuantity(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget, key, shiftKey } = event;
  if (key !== 'Enter' || !(target instanceof HTMLInputElement)) return;
  if (!('quantity' in target.dataset)) return;
  event.preventDefault();
  const fields = [...currentTarget.querySelectorAll<HTMLInputElement>('input[data-quantity]')];
  const next = fields[fields.indexOf(target) + (shiftKey ? -1 : 1)];
  next?.focus();
  next?.select();
}

const views = ['all', 'attention', 'unknown'] as const;
type View = (typeof views)[number];

export function RowsSkeleton() {
  return (
    <div
      role="status"
      aria-label={messages.checking}
      className="card-surface divide-y divide-base-300"
    >
      {Array.from({ length: 6 }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike.
        <div key={index} className="flex items-center gap-4 p-4">
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-5 w-2/3" />
            <Skeleton className="h-4 w-2/3" />
          </div>
          <Skeleton className="h-5 w-28 max-sm:hidden" />
          <Skeleton className="h-11 w-36" />
          <Skeleton className="h-5 w-20" />
        </div>
      ))}
    </div>
  );
}

interface RowsListProps {
  rows: readonly Row[];
  summary: Summary;
  order: QuickOrder;
}

/** The lines of a checked list, of which some can be shown alone. */
export function RowsList({ rows, summary: { counts }, order }: RowsListProps) {
  const [view, setView] = useState<View>('all');
  const shown = useMemo(
    () => (view === 'all' ? rows : rows.filter((row) => groupOf(row) === view)),
    [rows, view],
  );
  const drawn = useSlices(shown.length);
  const { remove } = order.edits;
  const notFound = rows.filter((row) => groupOf(row) === 'unknown').map(({ key }) => key);

  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        {counts.attention + counts.unknown > 0 ? (
          <SegmentedControl
            label={messages.show}
            value={view}
            options={views
              .filter((each) => each === 'all' || counts[each] > 0 || each === view)
              .map((each) => ({ value: each, label: messages.shown[each] }))}
            onChoose={setView}
          />
        ) : (
          <span />
        )}
        {notFound.length > 1 && (
          <Button
            variant="ghost"
            onClick={() => remove(notFound, messages.removedMany(notFound.length))}
          >
            {messages.removeUnknown(notFound.length)}
          </Button>
        )}
      </div>
      {shown.length === 0 ? (
        <div className="card-surface grid justify-items-center gap-3 px-6 py-10 text-center">
          <p>{messages.noneShown}</p>
          <Button variant="outline" onClick={() => setView('all')}>
            {messages.showAll}
          </Button>
        </div>
      ) : (
        <div className="card-surface overflow-hidden">
          <ol
            aria-label={messages.results}
            className="divide-y divide-base-300"
            onKeyDown={toNextQuantity}
          >
            {shown.slice(0, drawn).map((row) => (
              <RowItem key={row.key} row={row} edits={order.edits} />
            ))}
          </ol>
        </div>
      )}
    </>
  );
}
