import { useState } from 'react';
import { closeKeyboard } from '@/lib/close-keyboard';
import { formatCount } from '@/lib/money';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { Field } from '@/ui/field';
import { PlainTable } from '@/ui/plain-table';
import { TableSkeleton } from '@/ui/table-skeleton';
import { useGetFitmentCoverageQuery } from '../api';
import { messages } from '../messages';

const { coverage: text } = messages;

interface Count {
  name: string;
  vehicles: number;
  without: number;
}

const rowOf = ({ name, vehicles, without }: Count) => [
  name,
  formatCount(vehicles),
  formatCount(without),
  text.share(vehicles - without, vehicles),
];

/** For how many vehicles nothing is for sale: by part type, and of one part type by make. */
export function CoverageList() {
  const { data, error, isError, isFetching, refetch } = useGetFitmentCoverageQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState('');
  const content = () => {
    if (!data) {
      return isError && !isFetching ? (
        <ErrorState title={text.failed} error={error} onRetry={refetch} />
      ) : (
        <TableSkeleton rows={4} label={text.loading} />
      );
    }
    if (data.length === 0) return <Empty title={text.empty}>{text.emptyHint}</Empty>;
    const type = data.find(({ id }) => String(id) === chosen);
    const counts: readonly Count[] = type ? type.makes : data;
    const wanted = typed.trim().toLowerCase();
    const rows = counts.filter(({ name }) => name.toLowerCase().includes(wanted)).map(rowOf);
    return (
      <>
        <div className="grid items-end gap-4 sm:grid-cols-2">
          <Field label={text.type}>
            {(fieldProps) => (
              <select
                {...fieldProps}
                className="select"
                value={chosen}
                onChange={(event) => setChosen(event.target.value)}
              >
                <option value="">{text.allTypes}</option>
                {data.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <input
            type="search"
            className="input"
            aria-label={text.filter}
            placeholder={text.filter}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            onKeyDown={closeKeyboard}
          />
        </div>
        {rows.length === 0 ? (
          <p role="status">{text.noMatch}</p>
        ) : (
          <PlainTable
            caption={type ? type.name : text.table}
            headers={[type ? text.make : text.type, text.vehicles, text.without, text.covered]}
            rows={rows}
            figures
            className="max-h-[36rem]"
          />
        )}
      </>
    );
  };
  return (
    <section aria-label={text.title} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="text-muted">{text.hint}</p>
      {content()}
    </section>
  );
}
