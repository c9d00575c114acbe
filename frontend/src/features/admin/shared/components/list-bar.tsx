import { useTypedSearch } from '@/lib/use-typed-search';
import { Field } from '@/ui/field';
import type { ListAddress, OrAll } from '../use-list-address';

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: Readonly<Record<Value, string>>;
  onChoose: (value: Value) => void;
}

function Choice<Value extends string>({ label, value, options, onChoose }: ChoiceProps<Value>) {
  return (
    <Field label={label}>
      {(fieldProps) => (
        <select
          {...fieldProps}
          className="select"
          value={value}
          onChange={(event) => onChoose(event.target.value as Value)}
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

interface ListBarProps<Sort extends string, By extends string, Part extends string> {
  address: ListAddress<Sort, By, Part>;
  /** What the words may stand in. */
  searches: string;
  partLabel: string;
  parts: Readonly<Record<OrAll<Part>, string>>;
  sorts: Readonly<Record<Sort, string>>;
}

/** Search, part and order of a list. */
export function ListBar<Sort extends string, By extends string, Part extends string>({
  address,
  searches,
  partLabel,
  parts,
  sorts,
}: ListBarProps<Sort, By, Part>) {
  const { text, setText } = useTypedSearch(address.q, address.ask);
  return (
    <search className="mb-6 grid items-end gap-4 min-[22rem]:grid-cols-2 xl:grid-cols-[minmax(0,1fr)_13rem_13rem]">
      <div className="min-[22rem]:col-span-2 xl:col-span-1">
        <Field label="Search">
          {(fieldProps) => (
            <input
              {...fieldProps}
              type="search"
              className="input"
              placeholder={searches}
              maxLength={200}
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
      </div>
      <Choice label={partLabel} value={address.part} options={parts} onChoose={address.pick} />
      <Choice label="Sort by" value={address.sort} options={sorts} onChoose={address.sortBy} />
    </search>
  );
}
