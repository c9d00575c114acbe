import type { OrderSort, OrderState } from '@/api/types';
import {
  type ListKind,
  type OrUnfiltered,
  PAGE_SIZE,
  useListAddress,
} from '../shared/use-list-address';
import { useListAllOrdersQuery } from './api';

/** All that count are what is not asked for by a word. */
export type Filter = Exclude<OrderState, 'standing'>;
export type OrderFilter = OrUnfiltered<Filter>;

const kind: ListKind<OrderSort, 'state', Filter> = {
  sorts: ['newest', 'oldest', 'price', '-price'],
  param: 'state',
  filters: ['ready', 'waiting', 'shipped', 'unpaid', 'reserved', 'refunded', 'cancelled', 'all'],
  hasDays: true,
};

/** A page of everybody's orders as the address asks for it, and how many orders there are in all, whatever it asks. */
export function useAllOrders() {
  const address = useListAddress(kind);
  const { query, cursor, narrowed } = address;
  const fresh = { refetchOnMountOrArgChange: true, refetchOnFocus: true };
  const answer = useListAllOrdersQuery(
    { ...query, limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) },
    fresh,
  );
  const whole = useListAllOrdersQuery({ limit: 1 }, { ...fresh, skip: !narrowed });
  return { address, answer, total: (narrowed ? whole : answer).data?.total };
}
