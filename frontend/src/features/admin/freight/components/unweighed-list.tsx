import { useState } from 'react';
import { closeKeyboard } from '@/lib/close-keyboard';
import { paths } from '@/lib/paths';
import { Answered } from '@/ui/answered';
import { Button, ButtonLink } from '@/ui/button';
import { type Column, DataTable } from '@/ui/data-table';
import { Empty } from '@/ui/empty';
import { useListUnweighedQuery } from '../api';
import { messages } from '../messages';
import type { UnweighedProduct } from '../wire';

const { unweighed: text } = messages;

/** How many are drawn before the rest is asked for. */
const SHOWN = 50;

const columns: readonly Column<UnweighedProduct>[] = [
  { header: text.name, cell: ({ name }) => <span className="wrap-anywhere">{name}</span> },
  { header: text.partNumber, cell: ({ partNumber }) => partNumber || text.none },
  {
    header: text.actions,
    cell: ({ _id, name }) => (
      <ButtonLink variant="outline" to={paths.editProduct(_id)}>
        {text.edit} <span className="sr-only">{name}</span>
      </ButtonLink>
    ),
  },
];

function List({ products }: { products: readonly UnweighedProduct[] }) {
  const [filter, setFilter] = useState('');
  const [shown, setShown] = useState(SHOWN);
  const wanted = filter.trim().toLowerCase();
  const rows = products.filter(({ name, partNumber }) =>
    `${name} ${partNumber ?? ''}`.toLowerCase().includes(wanted),
  );
  return (
    <>
      <div className="flex flex-wrap items-center gap-4">
        <input
          type="search"
          className="input max-w-md"
          aria-label={text.filter}
          placeholder={text.filter}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          onKeyDown={closeKeyboard}
        />
        <p role="status" className="text-muted">
          {rows.length === 0 ? text.noMatch : text.count(rows.length)}
        </p>
      </div>
      {rows.length > 0 && (
        <DataTable
          caption={text.caption}
          columns={columns}
          rows={rows.slice(0, shown)}
          rowKey={({ _id }) => _id}
        />
      )}
      {rows.length > shown && (
        <Button
          variant="outline"
          className="justify-self-center"
          onClick={() => setShown(shown + SHOWN)}
        >
          {text.more(rows.length - shown)}
        </Button>
      )}
    </>
  );
}

/** What freight cannot weigh, with the way to where its weight is typed. */
export function UnweighedList() {
  const answer = useListUnweighedQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <section aria-label={text.title} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="text-muted">{text.hint}</p>
      <Answered answer={answer} loading={text.loading} failed={text.failed}>
        {(products) =>
          products.length === 0 ? (
            <Empty title={text.empty}>{text.emptyHint}</Empty>
          ) : (
            <List products={products} />
          )
        }
      </Answered>
    </section>
  );
}
