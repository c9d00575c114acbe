import { type Facets, looksLikeNumber, useFindByNumberQuery, useGetFacetsQuery } from '@/api/parts';
import { Button } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { narrowedBy, type ShopFilter } from '../api';
import { ProductCard, shopGrid } from '../components/product-card';
import { shopMessages } from '../pages/messages';
import { type Chosen, dropsOf } from './choices';
import { findingMessages as messages } from './messages';

interface DropProps {
  drop: Chosen;
  onDrop: (filter: ShopFilter) => void;
}

/** One way out: how many parts there would be without this; nothing where there would be none. */
function Drop({ drop: { label, without }, onDrop }: DropProps) {
  const { data } = useGetFacetsQuery(narrowedBy(without));
  if (!data || data.total === 0) return null;
  return (
    <li>
      <Button variant="outline" className="h-auto normal-case" onClick={() => onDrop(without)}>
        {messages.without(label)} <span className="text-muted">{messages.parts(data.total)}</span>
      </Button>
    </li>
  );
}

/** Parts whose numbers come close to what was typed. */
function Similar({ q, results }: { q: string; results: string }) {
  const { data } = useFindByNumberQuery(q);
  if (!data || data.products.length === 0) return null;
  return (
    <section aria-labelledby="similar" className="grid gap-4">
      <h2 id="similar" className="text-2xl">
        {messages.maybe}
      </h2>
      <ul className={shopGrid}>
        {data.products.slice(0, 3).map((part) => (
          <li key={part._id} className="grid">
            <ProductCard product={part} results={results} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface NothingFoundProps {
  filter: ShopFilter;
  facets: Facets | undefined;
  /** The address of the list. */
  results: string;
  onChange: (filter: ShopFilter) => void;
  onReset: () => void;
}

/** Nothing matches: what to drop, with what that would leave, and what may have been meant. */
export function NothingFound({ filter, facets, results, onChange, onReset }: NothingFoundProps) {
  const drops = dropsOf(filter, facets?.facets);
  return (
    <div className="grid gap-8">
      <Empty
        title={shopMessages.noMatch(filter.q)}
        action={
          <div className="grid justify-items-center gap-4">
            <ul
              aria-label={messages.drop}
              className="flex flex-wrap justify-center gap-3 empty:hidden"
            >
              {drops.map((drop) => (
                <Drop key={drop.key} drop={drop} onDrop={onChange} />
              ))}
            </ul>
            <Button onClick={onReset}>{shopMessages.clear}</Button>
          </div>
        }
      >
        {shopMessages.noMatchHint}
      </Empty>
      {looksLikeNumber(filter.q) && <Similar q={filter.q} results={results} />}
    </div>
  );
}
