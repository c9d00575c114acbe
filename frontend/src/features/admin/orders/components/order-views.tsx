import type { OrderCounts } from '@/api/types';
import { Views } from '@/features/orders/components/views';
import { paths } from '@/lib/paths';
import { UNFILTERED } from '../../shared/use-list-address';
import { useCountOrdersQuery } from '../api';
import { messages } from '../messages';
import type { OrderFilter, useAllOrders } from '../use-all-orders';

const { views: text } = messages;

/** What an admin works through, most urgent first; payment matters follow, on a page of their own. */
const work: readonly OrderFilter[] = [UNFILTERED, 'ready', 'reserved', 'shipped'];
const archive: readonly OrderFilter[] = ['refunded', 'cancelled', 'all'];

/** How many orders a view shows, where that is counted. */
function countOf(view: OrderFilter, counts: OrderCounts): number | undefined {
  if (view === UNFILTERED) return counts.all - counts.cancelled;
  if (view === 'ready') return counts.readyToShip;
  if (view === 'reserved') return counts.awaitingPayment;
  if (view === 'waiting' || view === 'unpaid') return undefined;
  return counts[view];
}

/** The parts of the orders as tabs, each with how many it holds. */
export function OrderViews({ list: { address } }: { list: ReturnType<typeof useAllOrders> }) {
  const { data: counts } = useCountOrdersQuery(undefined, {
    refetchOnMountOrArgChange: true,
    refetchOnFocus: true,
  });
  const viewOf = (view: OrderFilter) => ({
    to: { search: address.searchWith(view) },
    label: text.names[view],
    current: address.filter === view,
    count: counts && countOf(view, counts),
  });
  // Another page may lead to a state that has no view here: it is shown after them.
  const other = [...work, ...archive].includes(address.filter) ? [] : [address.filter];
  return (
    <Views
      label={text.label}
      views={[
        ...work.map(viewOf),
        {
          to: paths.attention,
          label: text.attention,
          current: false,
          count: counts?.needsAttention,
        },
        ...[...archive, ...other].map(viewOf),
      ]}
    />
  );
}
