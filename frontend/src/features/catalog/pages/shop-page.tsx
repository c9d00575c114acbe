import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useHydrated } from '@/lib/use-hydrated';
import { Button } from '@/ui/button';
import { cx } from '@/ui/cx';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { type ShopFilter, useGetShopInfiniteQuery } from '../api';
import { CardSkeletons, cardGrid, ProductCard } from '../components/product-card';
import { ShopFilters } from '../components/shop-filters';
import { useShopFilter } from '../use-shop-filter';
import { emptyMessages, shopMessages } from './messages';

const plain: ShopFilter = { q: '', category: '', sort: 'newest', inStock: false };

function isFiltered({ q, category, inStock }: ShopFilter): boolean {
  return q !== '' || category !== '' || inStock;
}

function Loading() {
  return (
    <div className="grid gap-8">
      {/* A line of words to the fraction of a pixel: the pictures below must not move. */}
      <p aria-hidden="true" className="skeleton w-20 bg-base-300">
        {'\u00a0'}
      </p>
      <CardSkeletons count={8} label={shopMessages.loading} pictured />
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

function ProductGrid({ filter, onReset }: { filter: ShopFilter; onReset: () => void }) {
  const answer = useGetShopInfiniteQuery(filter);
  const { pathname, search } = useLocation();
  const { data, currentData, isError, isFetching, error, refetch } = answer;
  const [more, setMore] = useState(false);

  // What the page brings along is little, for it is waited for; the rest of a first look follows by itself.
  const following =
    currentData?.pages.length === 1 && answer.hasNextPage && !answer.isFetchNextPageError;
  const end = useNear(following, () => void answer.fetchNextPage());

  // The last answer stays, dimmed, while the next filter loads; only a first visit sees the shapes.
  const pages = (currentData ?? (isError ? undefined : data))?.pages;
  if (!pages) {
    if (isError && !isFetching) {
      return <ErrorState title={shopMessages.failed} error={error} onRetry={refetch} />;
    }
    return <Loading />;
  }

  const products = pages.flatMap((page) => page.items);
  const total = pages[0]?.total ?? products.length;
  if (products.length === 0) {
    return isFiltered(filter) ? (
      <Empty
        title={shopMessages.noMatch(filter.q)}
        action={<Button onClick={onReset}>{shopMessages.clear}</Button>}
      >
        {shopMessages.noMatchHint}
      </Empty>
    ) : (
      <Empty title={emptyMessages.title}>{emptyMessages.text}</Empty>
    );
  }

  const showMore = async () => {
    setMore(true);
    await answer.fetchNextPage();
    setMore(false);
  };

  return (
    <div className="grid gap-8" aria-busy={isFetching || undefined}>
      <p role="status" className="text-muted">
        {shopMessages.count(products.length, total)}
      </p>
      <ul
        className={cx(
          cardGrid,
          'transition-opacity',
          isFetching && !more && !answer.isFetchingNextPage && 'opacity-60',
        )}
      >
        {products.map((product, index) => (
          <li key={product._id} className="grid">
            <ProductCard product={product} first={index === 0} results={`${pathname}${search}`} />
          </li>
        ))}
      </ul>
      {answer.hasNextPage && (
        <div ref={end} className="grid justify-items-center gap-4">
          {answer.isFetchNextPageError && (
            <p role="alert" className="font-semibold text-error">
              {shopMessages.moreFailed}
            </p>
          )}
          <Button variant="outline" onClick={showMore} busy={answer.isFetchingNextPage}>
            {shopMessages.showMore}
          </Button>
        </div>
      )}
    </div>
  );
}

export default function ShopPage() {
  const { filter, change } = useShopFilter();
  // The page is rendered ahead of time for every address of the shop: its query counts once the browser has taken over.
  const hydrated = useHydrated();
  return (
    <div className="shell grid grid-cols-[minmax(0,1fr)] gap-8 py-10 lg:py-14">
      <h1 className="heading-mark text-[2.5rem] sm:text-6xl">{shopMessages.heading}</h1>
      <ShopFilters filter={hydrated ? filter : plain} onChange={change} />
      <h2 className="sr-only">{shopMessages.products}</h2>
      {hydrated ? <ProductGrid filter={filter} onReset={() => change(plain)} /> : <Loading />}
    </div>
  );
}
