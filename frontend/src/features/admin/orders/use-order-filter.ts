import { useMemo, useState } from 'react';
import type { Order } from '@/api/types';
import { isShipped } from '@/features/orders/facts';

export const stages = [
  { value: 'all', label: 'All orders' },
  { value: 'waiting', label: 'Pending Approval' },
  { value: 'shipped', label: 'Shipped' },
  { value: 'unpaid', label: 'Not Paid yet' },
] as const;
export type Stage = (typeof stages)[number]['value'];

/** How many orders stand on the page before somebody asks for more; a year of them would stall a phone. */
export const PAGE = 50;

function isAt(order: Order, stage: Stage): boolean {
  switch (stage) {
    case 'all':
      return true;
    case 'waiting':
      return !isShipped(order);
    case 'shipped':
      return isShipped(order);
    case 'unpaid':
      return !order.paid;
  }
}

/** Whether every word stands somewhere in what identifies the order. */
function matches(order: Order, query: string): boolean {
  const text = [order.name, order.email, order.productName, order.phone, order._id]
    .join('\n')
    .toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** Search, stage and page over the orders that have come; the shop answers them as one list. */
export function useOrderFilter(orders: readonly Order[]) {
  const [query, setQuery] = useState('');
  const [stage, setStage] = useState<Stage>('all');
  const [shown, setShown] = useState(PAGE);
  const found = useMemo(
    () => orders.filter((order) => isAt(order, stage) && matches(order, query.trim())),
    [orders, stage, query],
  );
  const narrow =
    <T>(set: (value: T) => void) =>
    (value: T) => {
      set(value);
      setShown(PAGE);
    };
  return {
    query,
    stage,
    found,
    page: found.slice(0, shown),
    hasMore: found.length > shown,
    setQuery: narrow(setQuery),
    setStage: narrow(setStage),
    showMore: () => setShown((before) => before + PAGE),
    clear: () => {
      setQuery('');
      setStage('all');
      setShown(PAGE);
    },
  };
}

export type OrderFilter = ReturnType<typeof useOrderFilter>;
