import type { ReactNode } from 'react';
import type { Order } from '@/api/types';
import { ExportButton } from '../../shared/components/export-button';
import { ListBar } from '../../shared/components/list-bar';
import { PagedList } from '../../shared/components/paged-list';
import { Period } from '../../shared/components/period';
import { useExportOrdersMutation } from '../api';
import { messages } from '../messages';
import type { useAllOrders } from '../use-all-orders';

interface OrderListProps {
  /** With the count of the screen. */
  heading: string;
  list: ReturnType<typeof useAllOrders>;
  /** What is to be read above the list, as that an order was shipped. */
  said?: ReactNode;
  /** The filter as tabs; a field of the bar without it. */
  views?: ReactNode;
  skeleton: ReactNode;
  nothing: ReactNode;
  children: (orders: readonly Order[], offset: number) => ReactNode;
}

/** Everybody's orders under a search, a page at a time, drawn by `children`. */
export function OrderList({
  heading,
  list,
  said,
  views,
  skeleton,
  nothing,
  children,
}: OrderListProps) {
  const { address, answer } = list;
  const [exportOrders, { isLoading }] = useExportOrdersMutation();
  return (
    <>
      <div className="mb-8 grid justify-items-start gap-4 sm:flex sm:items-center sm:justify-between">
        <h1 className="heading-mark text-4xl sm:text-5xl">{heading}</h1>
        <ExportButton busy={isLoading} onExport={() => exportOrders(address.query)} />
      </div>
      {said}
      {views}
      <ListBar
        address={address}
        searches={messages.search}
        {...(views ? {} : { filter: { label: messages.filter, options: messages.states } })}
        sorts={messages.sorts}
      />
      <Period from={address.from} to={address.to} onChange={address.limitTo} />
      <PagedList
        pages={address}
        answer={answer}
        labels={messages.labels}
        skeleton={skeleton}
        nothing={nothing}
      >
        {children}
      </PagedList>
    </>
  );
}
