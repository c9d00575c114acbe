import type { ReactNode } from 'react';
import type { Order } from '@/api/types';
import { Button } from '@/ui/button';
import { Empty } from '@/ui/states';
import { useOrderFilter } from '../use-order-filter';
import { FilterBar } from './filter-bar';

/** Orders under a search, a page at a time, drawn by `children`. */
export function OrderList({
  orders,
  children,
}: {
  orders: readonly Order[];
  children: (page: readonly Order[]) => ReactNode;
}) {
  const filter = useOrderFilter(orders);
  return (
    <>
      <FilterBar filter={filter} total={orders.length} />
      {filter.found.length === 0 ? (
        <Empty
          title="No order matches"
          action={
            <Button look="outline" onClick={filter.clear}>
              Show all orders
            </Button>
          }
        >
          Try another word, or look at all of them.
        </Empty>
      ) : (
        children(filter.page)
      )}
      {filter.hasMore && (
        <div className="mt-6 grid justify-items-center">
          <Button look="outline" onClick={filter.showMore}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}
