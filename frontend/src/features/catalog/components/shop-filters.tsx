import { Search } from 'lucide-react';
import { type ReactNode, useCallback, useEffect, useId, useRef } from 'react';
import type { FacetChoice } from '@/api/parts';
import type { ProductSort } from '@/api/types';
import { categories } from '@/lib/categories';
import { closeKeyboard } from '@/lib/close-keyboard';
import { formatCount } from '@/lib/money';
import { useTypedSearch } from '@/lib/use-typed-search';
import { SegmentedControl } from '@/ui/segmented-control';
import type { ShopFilter } from '../api';
import { shopMessages as messages } from '../pages/messages';
import { sortLabels } from '../sorts';
import type { ChangeOptions, ShopView } from '../use-shop-filter';
import { Chip } from './chip';

interface ShopFiltersProps {
  filter: ShopFilter;
  view: ShopView;
  onChange: (part: Partial<ShopFilter>, options?: ChangeOptions) => void;
  onView: (view: ShopView) => void;
  /** How many parts each category has, once that is known. */
  counts: readonly FacetChoice[] | undefined;
  /** What else belongs to the line. */
  children?: ReactNode;
}

function SearchBox({ filter, onChange }: Pick<ShopFiltersProps, 'filter' | 'onChange'>) {
  const id = useId();
  const ask = useCallback((q: string) => onChange({ q }, { replace: true }), [onChange]);
  const { text, setText } = useTypedSearch(filter.q, ask);
  const input = useRef<HTMLInputElement>(null);

  // The box may have been typed into before this code had arrived.
  useEffect(() => {
    if (input.current?.value) setText(input.current.value);
  }, [setText]);

  return (
    <div className="relative min-w-0 flex-1 basis-64">
      <label htmlFor={id} className="sr-only">
        {messages.search}
      </label>
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-3 z-1 size-5 -translate-y-1/2 text-muted"
      />
      <input
        ref={input}
        id={id}
        type="search"
        className="input pl-10"
        placeholder={messages.placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={closeKeyboard}
      />
    </div>
  );
}

/** Its room is there before it is, so that nothing moves. */
function Count({ of: count }: { of: number | undefined }) {
  return (
    <span aria-hidden="true" className="inline-block w-8 text-right">
      {count !== undefined && formatCount(count)}
    </span>
  );
}

const views = [
  { value: 'grid', label: messages.grid },
  { value: 'list', label: messages.list },
] as const;

/** What is shown, in which order and how: one line on a wide screen, and the categories below it. */
export function ShopFilters({
  filter,
  view,
  onChange,
  onView,
  counts,
  children,
}: ShopFiltersProps) {
  const chips = [{ value: '', label: messages.all } as const, ...categories];
  return (
    <form
      aria-label={messages.filters}
      className="grid gap-3"
      onSubmit={(event) => event.preventDefault()}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <SearchBox filter={filter} onChange={onChange} />
        <div className="min-w-0 flex-1 basis-40 xs:w-52 xs:flex-none">
          <select
            aria-label={messages.sortBy}
            className="select"
            value={filter.sort}
            onChange={(event) => onChange({ sort: event.target.value as ProductSort })}
          >
            {Object.entries(sortLabels).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </div>
        <label className="flex min-h-11 cursor-pointer items-center gap-3 font-semibold">
          <input
            type="checkbox"
            className="checkbox border-edge checked:border-primary checked:bg-primary checked:text-primary-content"
            title={messages.inStockHint}
            checked={filter.inStock}
            onChange={(event) => onChange({ inStock: event.target.checked })}
          />
          {messages.inStock}
        </label>
        <SegmentedControl label={messages.view} value={view} options={views} onChoose={onView} />
        {children}
      </div>
      <fieldset className="min-w-0">
        <legend className="sr-only">{messages.category}</legend>
        <div className="hide-scrollbar -mx-4 flex gap-1 overflow-x-auto px-4 py-1 sm:mx-0 sm:flex-wrap sm:overflow-visible sm:px-0">
          {chips.map(({ value, label }) => (
            <Chip
              key={value}
              chosen={filter.category === value}
              onChoose={() => onChange({ category: value })}
            >
              {label}
              {value && (
                <Count of={counts && (counts.find((each) => each.value === value)?.count ?? 0)} />
              )}
            </Chip>
          ))}
        </div>
      </fieldset>
    </form>
  );
}
