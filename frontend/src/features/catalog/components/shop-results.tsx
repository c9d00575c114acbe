import { type ReactNode, useDeferredValue, useEffect, useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { type Facets, type Part, useGetFacetsQuery } from '@/api/parts';
import { Button } from '@/ui/button';
import { cx } from '@/ui/cx';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { narrowedBy, type ShopFilter, STALE, useGetShopInfiniteQuery } from '../api';
import { vehicleIn, withValues } from '../finding/choices';
import { findingMessages } from '../finding/messages';
import { NothingFound } from '../finding/nothing-found';
import { emptyMessages, shopMessages as messages } from '../pages/messages';
import type { ShopView } from '../use-shop-filter';
import { CardSkeletons, ProductCard, shopGrid } from './product-card';
import { ProductRow, RowSkeletons } from './product-row';

function isFiltered(filter: ShopFilter): boolean {
  return narrowedBy(filter).length > 0;
}

export function LoadingResults({ view }: { view: ShopView }) {
  return (
    <div className="grid gap-3">
      {/* A line of words to the fraction of a pixel: the pictures below must not move. */}
      <p aria-hidden="true" className="skeleton w-20 bg-base-300">
        {'\u00a0'}
      </p>
      {view === 'list' ? (
        <RowSkeletons count={12} label={messages.loading} />
      ) : (
        <CardSkeletons count={6} label={messages.loading} pictured grid={shopGrid} />
      )}
    </div>
  );
}

/** How near, in pixels, one may come to the end of what the page brought along before more is asked for. */
const NEAR = 2000;

/** Calls `onNear` once the element that gets the ref is on the screen or near it. */
function useNear(wanted: boolean, onNear: () => void) {
  const element = useRef<HTMLDivElement>(null);
  const latest = useRef(onNear);
  useEffect(() => {
    latest.current = onNear;
  });
  useEffect(() => {
    if (!wanted || !element.current) return;
    const watch = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) latest.current();
      },
      { rootMargin: `0px 0px ${NEAR}px` },
    );
    watch.observe(element.current);
    return () => watch.disconnect();
  }, [wanted]);
  return element;
}

/** The products as cards or as rows; dimmed while other ones are on their way. */
function Products({
  products,
  view,
  dimmed,
  first = true,
}: {
  products: readonly Part[];
  view: ShopView;
  dimmed: boolean;
  /** Whether they are the first thing seen. */
  first?: boolean;
}): ReactNode {
  const { pathname, search } = useLocation();
  const results = `${pathname}${search}`;
  const list = view === 'list';
  return (
    <ul
      className={cx(
        list ? 'card-surface divide-y divide-base-300' : shopGrid,
        'transition-opacity',
        dimmed && 'opacity-60',
      )}
    >
      {products.map((product, index) => (
        <li key={product._id} className="grid grid-cols-[minmax(0,1fr)]">
          {list ? (
            <ProductRow product={product} results={results} />
          ) : (
            <ProductCard product={product} first={first && index === 0} results={results} />
          )}
        </li>
      ))}
    </ul>
  );
}

const isSure = ({ fit }: Part) => !fit || fit.verdict === 'yes' || fit.verdict === 'universal';

/** What fits for sure comes first; what does not, under a line that says so. */
function FittingProducts({
  products,
  view,
  dimmed,
  perhaps,
}: {
  products: readonly Part[];
  view: ShopView;
  dimmed: boolean;
  /** How many there are of those, on whichever page; undefined while it is not known. */
  perhaps: number | undefined;
}) {
  const sure = products.filter(isSure);
  const others = products.filter((product) => !isSure(product));
  return (
    <>
      {sure.length > 0 && <Products products={sure} view={view} dimmed={dimmed} />}
      {others.length > 0 && (
        <>
          <h3 className="mt-6 border-t border-base-300 pt-4 text-2xl">
            {findingMessages.perhaps(perhaps)}
          </h3>
          <Products products={others} view={view} dimmed={dimmed} first={sure.length === 0} />
        </>
      )}
    </>
  );
}

/** How many pages of the list each entry of the history has shown, by the entry's key. */
const shown = new Map<string, number>();

/** Loads as many pages as were shown when this entry of the history was left. */
function usePagesAsBefore({
  currentData,
  hasNextPage,
  isFetching,
  isError,
  fetchNextPage,
}: ReturnType<typeof useGetShopInfiniteQuery>) {
  const { key } = useLocation();
  const count = currentData?.pages.length ?? 0;
  useEffect(() => {
    const before = shown.get(key) ?? 0;
    if (count > before) shown.set(key, count);
    if (count > 0 && count < before && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [key, count, hasNextPage, isFetching, isError, fetchNextPage]);
}

interface ShopResultsProps {
  filter: ShopFilter;
  view: ShopView;
  /** What the shop says of the filter's choices, once it has. */
  facets: Facets | undefined;
  onChange: (filter: ShopFilter) => void;
  onReset: () => void;
}

export function ShopResults({ filter, view, facets, onChange, onReset }: ShopResultsProps) {
  const { pathname, search } = useLocation();
  const answer = useGetShopInfiniteQuery(filter, { refetchOnMountOrArgChange: STALE });
  const { data, currentData, isError, isFetching, error, refetch } = answer;
  usePagesAsBefore(answer);
  const narrowed = narrowedBy(filter);
  const forVehicle = vehicleIn(filter.more) !== null;
  const { currentData: sure } = useGetFacetsQuery([...withValues(narrowed, 'fit', ['yes'])], {
    skip: !forVehicle,
  });

  // The last answer stays, dimmed, while the next filter loads; only a first visit sees the shapes.
  const answered = (currentData ?? (isError ? undefined : data))?.pages;
  // Two dozen cards are drawn in slices, so that the page answers meanwhile.
  const pages = useDeferredValue(answered);

  // What the page brings along is little, for it is waited for; the rest of a first look follows by itself.
  const following =
    currentData?.pages.length === 1 &&
    pages !== undefined &&
    answer.hasNextPage &&
    !answer.isFetchNextPageError;
  const end = useNear(following, () => void answer.fetchNextPage());

  if (!pages) {
    if (isError && !isFetching) {
      return <ErrorState title={messages.failed} error={error} onRetry={refetch} />;
    }
    return <LoadingResults view={view} />;
  }

  const products = pages.flatMap((page) => page.items);
  const total = pages[0]?.total ?? products.length;
  if (products.length === 0) {
    if (!isFiltered(filter)) return <Empty title={emptyMessages.title}>{emptyMessages.text}</Empty>;
    const results = `${pathname}${search}`;
    return <NothingFound {...{ filter, facets, results, onChange, onReset }} />;
  }

  return (
    <div className="grid gap-3" aria-busy={isFetching || undefined}>
      <p role="status" className="text-muted">
        {messages.count(products.length, total)}
      </p>
      <FittingProducts
        products={products}
        view={view}
        dimmed={!currentData || pages[0] !== answered?.[0]}
        perhaps={facets && sure ? facets.total - sure.total : undefined}
      />
      {answer.hasNextPage && (
        <div ref={end} className="grid justify-items-center gap-4 py-3">
          {answer.isFetchNextPageError && (
            <p role="alert" className="font-semibold text-error">
              {messages.moreFailed}
            </p>
          )}
          <Button
            variant="outline"
            onClick={() => void answer.fetchNextPage()}
            busy={answer.isFetchingNextPage}
          >
            {messages.showMore}
          </Button>
        </div>
      )}
    </div>
  );
}
