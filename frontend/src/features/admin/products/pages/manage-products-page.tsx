import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { Category, ProductSort } from '@/api/types';
import { useListProductsQuery } from '@/features/catalog/api';
import { sortLabels } from '@/features/catalog/sorts';
import { categories } from '@/lib/categories';
import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { DataTable } from '@/ui/data-table';
import { Empty } from '@/ui/empty';
import { PersistentAlert } from '@/ui/persistent-alert';
import { TableSkeleton } from '@/ui/table-skeleton';
import { ExportButton } from '../../shared/components/export-button';
import { ListBar } from '../../shared/components/list-bar';
import { PagedList } from '../../shared/components/paged-list';
import {
  type ListKind,
  type OrUnfiltered,
  PAGE_SIZE,
  UNFILTERED,
  useListAddress,
} from '../../shared/use-list-address';
import { useExportProductsMutation, useListArchivedProductsQuery } from '../api';
import { archivedColumns, columnsFor } from '../columns';
import { ImportButton } from '../components/import-button';
import { messages } from '../messages';

const { manage: text } = messages;

const kind: ListKind<ProductSort, 'category', Category> = {
  sorts: ['newest', 'price', '-price', 'name'],
  param: 'category',
  filters: categories.map(({ value }) => value),
  view: 'view',
};

const ARCHIVED = 'archived';

const filters = Object.fromEntries([
  [UNFILTERED, text.allCategories],
  ...categories.map(({ value, label }) => [value, label]),
]) as Record<OrUnfiltered<Category>, string>;

interface SwitchProps {
  archived: boolean;
  onSwitch: (archived: boolean) => void;
}

function ArchivedSwitch({ archived, onSwitch }: SwitchProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-3 font-semibold">
      <input
        type="checkbox"
        className="checkbox border-edge checked:border-primary checked:bg-primary checked:text-primary-content"
        checked={archived}
        onChange={(event) => onSwitch(event.target.checked)}
      />
      {text.archived}
    </label>
  );
}

function Nothing({ archived }: { archived: boolean }) {
  if (archived) return <Empty title={text.noneArchived}>{text.noneArchivedHint}</Empty>;
  return (
    <Empty title={text.empty} action={<ButtonLink to={paths.addProduct}>{text.add}</ButtonLink>}>
      {text.emptyHint}
    </Empty>
  );
}

/** A page of the products for sale, or of the archived ones. */
function useProducts(archived: boolean, args: Parameters<typeof useListProductsQuery>[0]) {
  const forSale = useListProductsQuery(args, { refetchOnMountOrArgChange: true, skip: archived });
  const gone = useListArchivedProductsQuery(args, {
    refetchOnMountOrArgChange: true,
    skip: !archived,
  });
  return archived ? gone : forSale;
}

export default function ManageProductsPage() {
  const address = useListAddress(kind);
  const { query, cursor } = address;
  const [params, setParams] = useSearchParams();
  const archived = params.get('view') === ARCHIVED;
  const answer = useProducts(archived, {
    ...query,
    limit: PAGE_SIZE,
    ...(cursor ? { cursor } : {}),
  });
  const [exportProducts, { isLoading: isExporting }] = useExportProductsMutation();
  const [done, setDone] = useState<string | null>(null);

  return (
    <>
      <div className="mb-8 flex flex-wrap items-center justify-between gap-4">
        <h1 className="heading-mark text-4xl sm:text-5xl">{text.heading}</h1>
        <div className="flex flex-wrap gap-3">
          <ArchivedSwitch
            archived={archived}
            onSwitch={(on) => setParams({ ...(on ? { view: ARCHIVED } : {}), ...query })}
          />
          {!archived && (
            <ExportButton busy={isExporting} onExport={() => exportProducts(address.query)} />
          )}
          <ImportButton onImported={(count) => setDone(text.imported(count))} />
          <ButtonLink to={paths.addProduct}>{text.add}</ButtonLink>
        </div>
      </div>
      {done && (
        <PersistentAlert tone="success" onDismiss={() => setDone(null)}>
          {done}
        </PersistentAlert>
      )}
      <ListBar
        address={address}
        searches={text.search}
        filter={{ label: text.filter, options: filters }}
        sorts={sortLabels}
      />
      <PagedList
        key={String(archived)}
        pages={address}
        answer={answer}
        labels={text.labels}
        skeleton={<TableSkeleton label={text.loading} />}
        nothing={<Nothing archived={archived} />}
      >
        {(products, offset) => (
          <DataTable
            caption={archived ? text.archivedCaption : text.caption}
            columns={
              archived
                ? archivedColumns(address, ({ name }) => setDone(text.restored(name)))
                : columnsFor(address, ({ name }) => setDone(text.deleted(name)))
            }
            rows={products}
            rowKey={(product) => product._id}
            offset={offset}
          />
        )}
      </PagedList>
    </>
  );
}
