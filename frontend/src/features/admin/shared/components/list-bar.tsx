import { closeKeyboard } from '@/lib/close-keyboard';
import { useTypedSearch } from '@/lib/use-typed-search';
import { cx } from '@/ui/cx';
import { Field } from '@/ui/field';
import { messages } from '../messages';
import type { ListAddress, OrUnfiltered } from '../use-list-address';

interface SelectProps<Value extends string> {
  label: string;
  value: Value;
  options: Readonly<Record<Value, string>>;
  onSelect: (value: Value) => void;
}

function Select<Value extends string>({ label, value, options, onSelect }: SelectProps<Value>) {
  return (
    <Field label={label}>
      {(fieldProps) => (
        <select
          {...fieldProps}
          className="select"
          value={value}
          onChange={(event) => onSelect(event.target.value as Value)}
        >
          {Object.entries<string>(options).map(([each, text]) => (
            <option key={each} value={each}>
              {text}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

interface ListBarProps<Sort extends string, Param extends string, Filter extends string> {
  address: ListAddress<Sort, Param, Filter>;
  /** What the search looks through. */
  searches: string;
  /** Left out where the list has views instead. */
  filter?: { label: string; options: Readonly<Record<OrUnfiltered<Filter>, string>> };
  /** Left out where there is one order only. */
  sorts?: Readonly<Record<Sort, string>>;
}

/** Search, filter and order of a list. */
export function ListBar<Sort extends string, Param extends string, Filter extends string>({
  address,
  searches,
  filter,
  sorts,
}: ListBarProps<Sort, Param, Filter>) {
  const { text, setText } = useTypedSearch(address.q, address.search);
  return (
    <search className="mb-6 grid items-end gap-4 min-[22rem]:grid-cols-2 xl:grid-cols-[minmax(0,1fr)_13rem_13rem]">
      <div className={cx('min-[22rem]:col-span-2', filter && 'xl:col-span-1')}>
        <Field label={messages.search}>
          {(fieldProps) => (
            <input
              {...fieldProps}
              type="search"
              className="input"
              placeholder={searches}
              maxLength={200}
              value={text}
              onChange={(event) => setText(event.target.value)}
              onKeyDown={closeKeyboard}
            />
          )}
        </Field>
      </div>
      {filter && (
        <Select
          label={filter.label}
          value={address.filter}
          options={filter.options}
          onSelect={address.filterBy}
        />
      )}
      {sorts && (
        <Select
          label={messages.sortBy}
          value={address.sort}
          options={sorts}
          onSelect={address.sortBy}
        />
      )}
    </search>
  );
}
