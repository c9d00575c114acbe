import type { ReactNode } from 'react';
import type { Order } from '@/api/types';
import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { messages } from '../messages';
import { type MyView, myViews, type useMyOrders } from '../use-my-orders';
import { Views } from './views';

const { list } = messages;

function Nothing({ view, children }: { view: MyView; children: string }) {
  if (view !== 'standing') {
    return <Empty title={list.emptyView[view]}>{list.emptyViewHint[view]}</Empty>;
  }
  return (
    <Empty title={list.empty} action={<ButtonLink to={paths.shop}>{list.shop}</ButtonLink>}>
      {children}
    </Empty>
  );
}

interface MyOrdersListProps {
  answer: ReturnType<typeof useMyOrders>;
  skeleton: ReactNode;
  /** What is said while nothing was ordered. */
  hint: string;
  children: (orders: readonly Order[]) => ReactNode;
}

/** One's orders in all states of their list, with the ways to the archive. */
export function MyOrdersList({ answer, skeleton, hint, children }: MyOrdersListProps) {
  const { data, error, isError, isFetching, refused, refetch, view } = answer;
  const content = () => {
    if (data?.length === 0) return <Nothing view={view}>{hint}</Nothing>;
    if (data) return children(data);
    if (!isError || isFetching || refused) return skeleton;
    return <ErrorState title={list.failed} error={error} onRetry={refetch} />;
  };
  return (
    <>
      <Views
        label={list.views}
        views={myViews.map((each) => ({
          to: { search: each === 'standing' ? '' : `?state=${each}` },
          label: list.view[each],
          current: each === view,
        }))}
      />
      {content()}
    </>
  );
}
