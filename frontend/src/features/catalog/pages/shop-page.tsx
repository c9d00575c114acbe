import { useHydrated } from '@/lib/use-hydrated';
import type { ShopFilter } from '../api';
import { ShopFilters } from '../components/shop-filters';
import { LoadingResults, ShopResults } from '../components/shop-results';
import { useShopFilter } from '../use-shop-filter';
import { shopMessages as messages } from './messages';

const plain: ShopFilter = { q: '', category: '', sort: 'newest', inStock: false };

export default function ShopPage() {
  const { filter, view, change, changeView } = useShopFilter();
  // The page is rendered ahead of time for every address of the shop: its query counts once the browser has taken over.
  const hydrated = useHydrated();
  const shown = hydrated ? view : 'grid';
  return (
    <div className="shell grid grid-cols-[minmax(0,1fr)] gap-4 py-8">
      <a className="skip-link" href="#results">
        {messages.skip}
      </a>
      <h1 className="heading-mark text-4xl sm:text-5xl">{messages.heading}</h1>
      <ShopFilters
        filter={hydrated ? filter : plain}
        view={shown}
        onChange={change}
        onView={changeView}
      />
      <section id="results" tabIndex={-1} aria-labelledby="results-heading">
        <h2 id="results-heading" className="sr-only">
          {messages.products}
        </h2>
        {hydrated ? (
          <ShopResults filter={filter} view={view} onReset={() => change(plain)} />
        ) : (
          <LoadingResults view={shown} />
        )}
      </section>
    </div>
  );
}
