import { Link } from 'react-router-dom';
import type { PurchaseState } from '@/features/checkout/wire';
import { formatDay } from '@/lib/dates';
import { paths } from '@/lib/paths';
import { usePageTitle } from '@/lib/use-page-title';
import { Badge } from '@/ui/badge';
import { type Column, DataTable } from '@/ui/data-table';
import { Empty } from '@/ui/empty';
import { TableSkeleton } from '@/ui/table-skeleton';
import { ExportButton } from '../../shared/components/export-button';
import { ListBar } from '../../shared/components/list-bar';
import { PagedList } from '../../shared/components/paged-list';
import {
  type ListKind,
  PAGE_SIZE,
  UNFILTERED,
  useListAddress,
} from '../../shared/use-list-address';
import { useExportPurchasesMutation, useListAllPurchasesQuery } from '../api';
import { PrintSlips } from '../components/print-slips';
import { numberOf, sumOf, toneOf } from '../facts';
import { messages } from '../messages';
import { type ListedPurchase, purchaseStates } from '../wire';

const kind: ListKind<'newest', 'state', PurchaseState> = {
  sorts: ['newest'],
  param: 'state',
  filters: purchaseStates,
};

const { columns: headers } = messages;

const columns: readonly Column<ListedPurchase>[] = [
  {
    header: headers.number,
    cell: ({ _id, number, placedAt }) => (
      <>
        <Link to={_id} className="link-accent inline-flex min-h-11 items-center font-semibold">
          {numberOf({ _id, number })}
        </Link>
        <time dateTime={placedAt} className="block text-sm text-muted">
          {formatDay(placedAt)}
        </time>
      </>
    ),
    className: 'whitespace-nowrap',
  },
  {
    header: headers.customer,
    cell: ({ name, email }) => (
      <>
        <span className="block">{name}</span>
        <Link to={paths.customer(email)} className="link-accent text-sm break-all">
          {email}
        </Link>
      </>
    ),
  },
  {
    header: headers.po,
    cell: ({ poNumber }) => <span className="break-all">{poNumber || messages.none}</span>,
  },
  {
    header: headers.lines,
    cell: ({ standing, lines, shipped }) => (
      <>
        {messages.linesOf(standing, lines)}
        {shipped > 0 && (
          <span className="block text-sm text-muted">{messages.shipped(shipped)}</span>
        )}
      </>
    ),
  },
  {
    header: headers.due,
    cell: ({ due }) => sumOf(due),
    numeric: true,
  },
  {
    header: headers.state,
    cell: ({ state }) => <Badge tone={toneOf[state]}>{messages.states[state]}</Badge>,
  },
];

/** Everybody's purchases under a search, a page at a time. */
export default function PurchasesPage() {
  usePageTitle(messages.heading);
  const address = useListAddress(kind);
  const { query, cursor } = address;
  const [exportPurchases, { isLoading }] = useExportPurchasesMutation();
  const answer = useListAllPurchasesQuery(
    { ...query, limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) },
    { refetchOnMountOrArgChange: true, refetchOnFocus: true },
  );
  return (
    <>
      <div className="mb-4 grid justify-items-start gap-4 sm:flex sm:items-center sm:justify-between">
        <h1 className="heading-mark text-4xl sm:text-5xl">{messages.heading}</h1>
        <div className="flex flex-wrap gap-3">
          <PrintSlips purchases={answer.currentData?.items ?? []} />
          <ExportButton busy={isLoading} onExport={() => exportPurchases(query)} />
        </div>
      </div>
      <p className="mb-6 max-w-prose text-muted">{messages.intro}</p>
      <ListBar
        address={address}
        searches={messages.search}
        filter={{
          label: messages.filter,
          options: { [UNFILTERED]: messages.all, ...messages.states },
        }}
      />
      <PagedList
        pages={address}
        answer={answer}
        labels={messages.labels}
        skeleton={<TableSkeleton label={messages.loading} />}
        nothing={<Empty title={messages.empty}>{messages.emptyHint}</Empty>}
      >
        {(purchases) => (
          <DataTable
            caption={messages.caption}
            columns={columns}
            rows={purchases}
            rowKey={({ _id }) => _id}
          />
        )}
      </PagedList>
    </>
  );
}
