import { Views } from '@/features/orders/components/views';
import { useGetOverviewQuery } from '../../overview/api';
import { UNFILTERED } from '../../shared/use-list-address';
import { messages } from '../messages';
import type { useAllOrders } from '../use-all-orders';

const { views: text } = messages;

/** What an admin works through, most urgent first; the archive comes last. */
const shown = [UNFILTERED, 'waiting', 'unpaid', 'shipped', 'refunded', 'cancelled', 'all'] as const;

/** The parts of the orders as tabs, with how many each holds where the server counts them. */
export function OrderViews({ list }: { list: ReturnType<typeof useAllOrders> }) {
  const { address, total } = list;
  const states = useGetOverviewQuery(1, { refetchOnMountOrArgChange: true }).data?.states;
  const counts = { [UNFILTERED]: total, ...states } as Partial<Record<string, number>>;
  return (
    <Views
      label={text.label}
      views={shown.map((view) => ({
        to: { search: address.searchWith(view) },
        label: text.names[view],
        current: address.filter === view,
        count: counts[view],
      }))}
    />
  );
}
