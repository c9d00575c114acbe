import type { AttributeFacet, Facets } from '@/api/parts';
import { formatCount } from '@/lib/money';
import type { Pairs } from '@/lib/pairs';
import { Button } from '@/ui/button';
import { cx } from '@/ui/cx';
import { Skeleton } from '@/ui/skeleton';
import {
  attributeParam,
  attributeValue,
  endsOf,
  listFacets,
  priceOf,
  type Range,
  readRange,
  toggled,
  valuesOf,
  withPrice,
  withValues,
  writeRange,
} from './choices';
import { FacetList } from './facet-list';
import { FacetRange } from './facet-range';
import { findingMessages as messages } from './messages';

interface PartProps {
  more: Pairs;
  onChange: (more: Pairs) => void;
}

function Attribute({
  facet,
  total,
  more,
  onChange,
}: PartProps & { facet: AttributeFacet; total: number }) {
  const { name, unit, values } = facet;
  const param = attributeParam(name);
  const chosen = valuesOf(more, param);
  const ends = endsOf(facet);
  if (ends) {
    const one = chosen[0] ?? '';
    const range = readRange(one) ?? { from: one, to: one };
    const changeTo = (next: Range) => onChange(withValues(more, param, [writeRange(next)]));
    return <FacetRange name={name} unit={unit} {...ends} value={range} onChange={changeTo} />;
  }
  return (
    <FacetList
      name={name}
      choices={values.map(({ value, count }) => ({
        value,
        label: attributeValue(value, unit),
        count,
      }))}
      chosen={chosen}
      total={total}
      onToggle={(value) => onChange(toggled(more, param, value))}
    />
  );
}

function Price({ ranges, more, onChange }: PartProps & { ranges: Facets['facets']['price'] }) {
  const price = priceOf(more);
  return (
    <FacetRange
      name={messages.names.price}
      unit="$"
      value={price}
      onChange={(range) => onChange(withPrice(more, range))}
    >
      <ul className="mb-2">
        {ranges
          .filter(({ count }) => count > 0)
          .map(({ from, to, count }) => {
            const range = { from: from > 0 ? String(from) : '', to: to ? String(to) : '' };
            const chosen = price.from === range.from && price.to === range.to;
            return (
              <li key={from}>
                <button
                  type="button"
                  aria-pressed={chosen}
                  aria-label={messages.choice(messages.bucket(from, to), count)}
                  className={cx(
                    'flex min-h-11 w-full cursor-pointer items-center justify-between gap-3 text-left hover:underline',
                    chosen && 'font-semibold text-accent',
                  )}
                  onClick={() => onChange(withPrice(more, chosen ? { from: '', to: '' } : range))}
                >
                  {messages.bucket(from, to)}
                  <span className="text-sm text-muted">{formatCount(count)}</span>
                </button>
              </li>
            );
          })}
      </ul>
    </FacetRange>
  );
}

function Waiting() {
  return (
    <div role="status" aria-label={messages.loading} className="grid gap-4">
      {[1, 2, 3].map((place) => (
        <Skeleton key={place} className="h-40 w-full" />
      ))}
    </div>
  );
}

interface FacetPanelProps extends PartProps {
  facets: Facets | undefined;
  /** Whether they did not come. */
  failed: boolean;
  onRetry: () => void;
}

/** What the parts can be narrowed by, and how many each choice would leave. */
export function FacetPanel({ facets, failed, onRetry, more, onChange }: FacetPanelProps) {
  if (!facets) {
    if (!failed) return <Waiting />;
    return (
      <div role="alert" className="grid gap-3">
        {messages.failed}
        <Button variant="outline" onClick={onRetry}>
          {messages.retry}
        </Button>
      </div>
    );
  }
  const { price, attributes, ...lists } = facets.facets;
  return (
    <div className="grid gap-4">
      {listFacets.map((name) => (
        <FacetList
          key={name}
          name={messages.names[name]}
          choices={lists[name].map((choice) => ({
            value: choice.value,
            label: choice.name,
            count: choice.count,
          }))}
          chosen={valuesOf(more, name)}
          total={facets.total}
          onToggle={(value) => onChange(toggled(more, name, value))}
        />
      ))}
      <Price ranges={price} more={more} onChange={onChange} />
      {attributes.map((facet) => (
        <Attribute
          key={facet.name}
          facet={facet}
          total={facets.total}
          more={more}
          onChange={onChange}
        />
      ))}
    </div>
  );
}
