import { SlidersHorizontal } from 'lucide-react';
import { useCallback, useDeferredValue, useState } from 'react';
import { useGetFacetsQuery } from '@/api/parts';
import { VehicleBar } from '@/features/vehicles/components/vehicle-bar';
import { useHydrated } from '@/lib/use-hydrated';
import { Button } from '@/ui/button';
import { Drawer } from '@/ui/drawer';
import { narrowedBy, plainShop } from '../api';
import { ShopFilters } from '../components/shop-filters';
import { LoadingResults, ShopResults } from '../components/shop-results';
import { ActiveFilters } from '../finding/active-filters';
import {
  chosenOf,
  valuesOf,
  vehicleIn,
  vehicleOf,
  withValues,
  withVehicle,
} from '../finding/choices';
import { FacetPanel } from '../finding/facet-panel';
import { findingMessages } from '../finding/messages';
import { PartTypes } from '../finding/part-types';
import { useShopFilter } from '../use-shop-filter';
import { shopMessages as messages } from './messages';

export default function ShopPage() {
  const { filter, view, change, changeView } = useShopFilter();
  // The page is rendered ahead of time for every address of the shop: its query counts once the browser has taken over.
  const hydrated = useHydrated();
  const shown = hydrated ? view : 'grid';
  const facets = useGetFacetsQuery(narrowedBy(filter), { skip: !hydrated });
  const known = facets.currentData ?? facets.data;
  // A hundred boxes to tick are drawn in slices, and after the products.
  const choices = useDeferredValue(known);
  const [open, setOpen] = useState(false);
  const close = useCallback(() => setOpen(false), []);
  const chosen = hydrated ? chosenOf(filter, known?.facets) : [];
  const asksForType =
    !filter.q && vehicleIn(filter.more) !== null && valuesOf(filter.more, 'partType').length === 0;
  const clear = () => change({ ...plainShop, sort: filter.sort, more: vehicleOf(filter.more) });
  const panel = (
    <FacetPanel
      facets={choices}
      failed={facets.isError && !facets.isFetching}
      onRetry={facets.refetch}
      more={filter.more}
      onChange={(more) => change({ more })}
    />
  );
  return (
    <>
      <VehicleBar
        chosen={hydrated ? vehicleIn(filter.more) : null}
        onChoose={(vehicle) => change({ more: withVehicle(filter.more, vehicle) })}
      />
      <div className="shell grid grid-cols-[minmax(0,1fr)] gap-4 py-4">
        <a className="skip-link" href="#results">
          {messages.skip}
        </a>
        <h1 className="heading-mark text-4xl sm:text-5xl">{messages.heading}</h1>
        <ShopFilters
          filter={hydrated ? filter : plainShop}
          view={shown}
          onChange={change}
          onView={changeView}
          counts={known?.facets.category}
        >
          <Button
            variant="outline"
            className="lg:hidden"
            aria-haspopup="dialog"
            onClick={() => setOpen(true)}
          >
            <SlidersHorizontal aria-hidden="true" className="size-5" />
            {findingMessages.filtersOn(chosen.length)}
          </Button>
        </ShopFilters>
        <Drawer
          open={open}
          label={findingMessages.filters}
          closeLabel={findingMessages.close}
          onClose={close}
        >
          {panel}
          <Button className="sticky bottom-0 z-1" onClick={close}>
            {known ? findingMessages.show(known.total) : findingMessages.close}
          </Button>
        </Drawer>
        <div className="grid grid-cols-[minmax(0,1fr)] gap-8 not-print:lg:grid-cols-[14rem_minmax(0,1fr)]">
          <aside aria-label={findingMessages.filters} className="max-lg:hidden">
            {panel}
          </aside>
          <section
            id="results"
            tabIndex={-1}
            aria-labelledby="results-heading"
            className="grid grid-cols-[minmax(0,1fr)] content-start gap-4"
          >
            <h2 id="results-heading" className="sr-only">
              {messages.products}
            </h2>
            <ActiveFilters chosen={chosen} onChange={change} onClear={clear} />
            {hydrated && known && asksForType && (
              <PartTypes
                facets={known}
                onChoose={(type) => change({ more: withValues(filter.more, 'partType', [type]) })}
              />
            )}
            {hydrated ? (
              <ShopResults
                filter={filter}
                view={view}
                facets={known}
                onChange={change}
                onReset={clear}
              />
            ) : (
              <LoadingResults view={shown} />
            )}
          </section>
        </div>
      </div>
    </>
  );
}
