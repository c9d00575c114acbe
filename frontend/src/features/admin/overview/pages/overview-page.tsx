import { Link, useSearchParams } from 'react-router-dom';
import type { Overview } from '@/api/types';
import { paths } from '@/lib/paths';
import { usePageTitle } from '@/lib/use-page-title';
import { Alert } from '@/ui/alert';
import { cx } from '@/ui/cx';
import { ErrorState } from '@/ui/error-state';
import { SegmentedControl } from '@/ui/segmented-control';
import { Skeleton } from '@/ui/skeleton';
import { useGetOverviewQuery } from '../api';
import { CategorySalesCard } from '../components/category-sales';
import { figureGrid, KeyFigures } from '../components/key-figures';
import { LatestOrders } from '../components/latest-orders';
import { LowStock } from '../components/low-stock';
import { PaymentFiguresCard } from '../components/payment-figures';
import { RevenueChart } from '../components/revenue-chart';
import { StateChart } from '../components/state-chart';
import { TopSalesCards } from '../components/top-sales';
import { messages } from '../messages';
import { compare } from '../periods';

const periods = [
  { value: '7', label: messages.periods[7] },
  { value: '30', label: messages.periods[30] },
  { value: '90', label: messages.periods[90] },
] as const;
const USUAL = '30';

/** The period, kept in the address. */
function usePeriod() {
  const [params, setParams] = useSearchParams();
  const requested = params.get('days');
  const period = periods.find(({ value }) => value === requested)?.value ?? USUAL;
  const choose = (days: string) => setParams(days === USUAL ? {} : { days }, { replace: true });
  return { period, choose };
}

const grid = 'grid grid-cols-[minmax(0,1fr)] gap-6';
const lists = 'grid grid-cols-[minmax(0,1fr)] items-start gap-6 xl:grid-cols-[4fr_3fr]';

const halves = 'grid grid-cols-[minmax(0,1fr)] items-start gap-6 lg:grid-cols-2';

/** The shapes of what will stand here, as high as it. */
function OverviewSkeleton() {
  return (
    <div role="status" aria-label={messages.loading} className={grid}>
      <div className={figureGrid}>
        {['revenue', 'orders', 'average', 'waiting', 'unpaid', 'stock'].map((figure) => (
          <div key={figure} className="card-surface grid gap-3 border-t-4 p-4">
            <Skeleton className="h-4 w-20" />
            <Skeleton className="h-9 w-28 max-w-full" />
            <Skeleton className="h-4 w-24" />
          </div>
        ))}
      </div>
      <div className="card-surface grid gap-5 p-6">
        <Skeleton className="h-12 w-56 max-w-full" />
        <Skeleton className="h-72 w-full" />
      </div>
      <div className="card-surface grid gap-5 p-6">
        <Skeleton className="h-12 w-56 max-w-full" />
        <Skeleton className="h-28 w-full" />
      </div>
      <div className={lists}>
        {['orders', 'shelves'].map((part) => (
          <div key={part} className="card-surface grid gap-5 p-6">
            <Skeleton className="h-12 w-48 max-w-full" />
            <Skeleton className="h-128 w-full" />
          </div>
        ))}
      </div>
    </div>
  );
}

/** Seconds are normal, and more of them than this are not. */
const LATE = 60;

function SearchIndexNote({ index }: { index: Overview['searchIndex'] }) {
  if (!index) return null;
  if (!index.ready) return <Alert tone="info">{messages.searchMissing}</Alert>;
  if (index.seconds <= LATE) return null;
  return <Alert tone="info">{messages.searchLate(index.changes, index.seconds)}</Alert>;
}

function Content({ overview, busy }: { overview: Overview; busy: boolean }) {
  const { now, before } = compare(overview.days);
  return (
    <div
      aria-busy={busy || undefined}
      className={cx(grid, 'transition-opacity', busy && 'opacity-60')}
    >
      {!overview.searchForgivesSlips && <Alert tone="info">{messages.noSlips}</Alert>}
      <SearchIndexNote index={overview.searchIndex} />
      <KeyFigures overview={overview} now={now} before={before} />
      <RevenueChart days={now.days} />
      <StateChart states={overview.states} />
      <PaymentFiguresCard days={now.days.length} />
      <div className={halves}>
        <TopSalesCards days={now.days.length} />
      </div>
      <CategorySalesCard days={now.days.length} />
      <div className={lists}>
        <LatestOrders orders={overview.latestOrders} />
        <LowStock products={overview.lowStock} />
      </div>
    </div>
  );
}

export default function OverviewPage() {
  usePageTitle(messages.heading);
  const { period, choose } = usePeriod();
  // The days before, too, to compare with.
  const { data, currentData, error, isError, isFetching, refetch } = useGetOverviewQuery(
    2 * Number(period),
    { refetchOnMountOrArgChange: true },
  );
  // The last answer stays, dimmed, while another period loads.
  const overview = currentData ?? (isError ? undefined : data);

  return (
    <>
      <div className="mb-8 flex flex-wrap items-center justify-between gap-4">
        <h1 className="heading-mark text-4xl sm:text-5xl">{messages.heading}</h1>
        <SegmentedControl
          label={messages.period}
          value={period}
          options={periods}
          onChoose={choose}
        />
      </div>
      {overview ? (
        <Content overview={overview} busy={isFetching} />
      ) : isError && !isFetching ? (
        <ErrorState title={messages.failed} error={error} onRetry={refetch} />
      ) : (
        <OverviewSkeleton />
      )}
      <p className="mt-6">
        <Link to={paths.addReview} className="link-accent">
          {messages.reviews}
        </Link>
      </p>
    </>
  );
}
