import { Search } from 'lucide-react';
import { useCallback, useEffect, useId, useRef } from 'react';
import type { ProductSort } from '@/api/types';
import { categories } from '@/lib/categories';
import { useTypedSearch } from '@/lib/use-typed-search';
import type { ShopFilter } from '../api';
import { shopMessages } from '../pages/messages';
import { sortLabels } from '../sorts';
import { Chip } from './chip';

interface ShopFiltersProps {
  filter: ShopFilter;
  onChange: (part: Partial<ShopFilter>, options?: { replace?: boolean }) => void;
}

function SearchBox({ filter, onChange }: ShopFiltersProps) {
  const id = useId();
  const ask = useCallback((q: string) => onChange({ q }, { replace: true }), [onChange]);
  const { text, setText } = useTypedSearch(filter.q, ask);
  const input = useRef<HTMLInputElement>(null);

  // The box may have been typed into before this code had arrived.
  useEffect(() => {
    if (input.current?.value) setText(input.current.value);
  }, [setText]);

  return (
    <div className="min-w-0 flex-1 basis-64">
      <label htmlFor={id} className="mb-1.5 block font-semibold">
        {shopMessages.search}
      </label>
      <div className="relative">
        <Search
          aria-hidden="true"
          className="pointer-events-none absolute top-1/2 left-3 z-1 size-5 -translate-y-1/2 text-muted"
        />
        <input
          ref={input}
          id={id}
          type="search"
          className="input pl-10"
          placeholder={shopMessages.placeholder}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
    </div>
  );
}

export function ShopFilters({ filter, onChange }: ShopFiltersProps) {
  const id = useId();
  const chips = [{ value: '', label: shopMessages.all } as const, ...categories];
  return (
    <form
      aria-label={shopMessages.filters}
      className="grid gap-5"
      onSubmit={(event) => event.preventDefault()}
    >
      <div className="flex flex-wrap items-end gap-x-6 gap-y-4">
        <SearchBox filter={filter} onChange={onChange} />
        <div className="min-w-0 flex-1 basis-40 xs:w-52 xs:flex-none">
          <label htmlFor={`${id}-sort`} className="mb-1.5 block font-semibold">
            {shopMessages.sortBy}
          </label>
          <select
            id={`${id}-sort`}
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
            title={shopMessages.inStockHint}
            checked={filter.inStock}
            onChange={(event) => onChange({ inStock: event.target.checked })}
          />
          {shopMessages.inStock}
        </label>
      </div>
      <fieldset className="min-w-0">
        <legend className="sr-only">{shopMessages.category}</legend>
        <div className="hide-scrollbar -mx-4 flex gap-2 overflow-x-auto px-4 py-1 sm:mx-0 sm:flex-wrap sm:overflow-visible sm:px-0">
          {chips.map(({ value, label }) => {
            const chosen = filter.category === value;
            return (
              <Chip key={value} chosen={chosen} onChoose={() => onChange({ category: value })}>
                {label}
              </Chip>
            );
          })}
        </div>
      </fieldset>
    </form>
  );
}
