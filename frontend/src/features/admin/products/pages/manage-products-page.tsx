import { Upload } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import type { Category, Product, ProductSort } from '@/api/types';
import { useListProductsQuery } from '@/features/catalog/api';
import { StockBadge } from '@/features/catalog/components/stock-badge';
import { sortLabels } from '@/features/catalog/sorts';
import { categories } from '@/lib/categories';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { stockLevel } from '@/lib/stock';
import { TABLE_NAME } from '@/lib/truncate';
import { Badge } from '@/ui/badge';
import { Button, ButtonLink } from '@/ui/button';
import { type Column, DataTable } from '@/ui/data-table';
import { Empty } from '@/ui/empty';
import { PersistentAlert } from '@/ui/persistent-alert';
import { ProductPicture } from '@/ui/product-picture';
import { TableSkeleton } from '@/ui/table-skeleton';
import { Truncated } from '@/ui/truncated';
import { ExportButton } from '../../shared/components/export-button';
import { ListBar } from '../../shared/components/list-bar';
import { PagedList } from '../../shared/components/paged-list';
import { headerSort } from '../../shared/header-sort';
import {
  type ListKind,
  type OrUnfiltered,
  PAGE_SIZE,
  UNFILTERED,
  useListAddress,
} from '../../shared/use-list-address';
import { useExportProductsMutation } from '../api';
import { CorrectStock } from '../components/correct-stock';
import { DeleteProduct } from '../components/delete-product';
import { ImportDialog } from '../components/import-dialog';
import { RestockProduct } from '../components/restock-product';
import { messages } from '../messages';

const { manage: text } = messages;

const kind: ListKind<ProductSort, 'category', Category> = {
  sorts: ['newest', 'price', '-price', 'name'],
  param: 'category',
  filters: categories.map(({ value }) => value),
};

const filters = Object.fromEntries([
  [UNFILTERED, text.allCategories],
  ...categories.map(({ value, label }) => [value, label]),
]) as Record<OrUnfiltered<Category>, string>;

function columnsFor(
  address: { sort: ProductSort; sortBy: (sort: ProductSort) => void },
  onDeleted: (product: Product) => void,
): readonly Column<Product>[] {
  return [
    { header: text.columns.place, cell: (_product, index) => index + 1 },
    {
      header: text.columns.image,
      cell: (product) => (
        <div className="w-24 md:w-20">
          <ProductPicture img={product.img} alt="" sizes="6rem" className="rounded-field" />
        </div>
      ),
    },
    {
      header: text.columns.name,
      sort: headerSort(address, { ascending: 'name' }),
      cell: (product) => (
        <div className="grid justify-items-start gap-1.5 max-xs:[&_.badge]:text-xs">
          <Link to={paths.product(product._id)} className="link-accent xl:whitespace-nowrap">
            <Truncated text={product.name} length={TABLE_NAME} />
          </Link>
          {product.partNumber && (
            <span className="text-sm text-muted wrap-anywhere">{product.partNumber}</span>
          )}
          <span className="flex flex-wrap gap-1.5">
            <Badge>{product.category}</Badge>
            {stockLevel(product) !== 'in' && <StockBadge product={product} />}
          </span>
        </div>
      ),
    },
    {
      header: text.columns.quantity,
      cell: (product) => (
        <>
          {formatCount(product.availableQty)}
          <span className="block text-sm whitespace-nowrap text-muted">
            {text.minimum(product.minOrder)}
          </span>
        </>
      ),
      numeric: true,
    },
    {
      header: text.columns.price,
      sort: headerSort(address, { ascending: 'price', descending: '-price' }),
      cell: (product) => formatMoney(product.price),
      numeric: true,
    },
    {
      header: text.columns.actions,
      cell: (product) => (
        <div className="flex flex-wrap gap-2 xl:flex-nowrap">
          <RestockProduct product={product} />
          <CorrectStock product={product} />
          <DeleteProduct product={product} onDeleted={onDeleted} />
        </div>
      ),
    },
  ];
}

/** The button, and its dialog. */
function ImportButton({ onImported }: { onImported: (count: number) => void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="outline" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <Upload aria-hidden="true" className="size-5" />
        {text.import}
      </Button>
      {open && (
        <ImportDialog
          onClose={() => setOpen(false)}
          onImported={(count) => {
            setOpen(false);
            onImported(count);
          }}
        />
      )}
    </>
  );
}

export default function ManageProductsPage() {
  const address = useListAddress(kind);
  const { query, cursor } = address;
  const answer = useListProductsQuery(
    { ...query, limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) },
    { refetchOnMountOrArgChange: true },
  );
  const [exportProducts, { isLoading: isExporting }] = useExportProductsMutation();
  const [done, setDone] = useState<string | null>(null);

  return (
    <>
      <div className="mb-8 flex flex-wrap items-center justify-between gap-4">
        <h1 className="heading-mark text-4xl sm:text-5xl">{text.heading}</h1>
        <div className="flex flex-wrap gap-3">
          <ExportButton busy={isExporting} onExport={() => exportProducts(address.query)} />
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
        pages={address}
        answer={answer}
        labels={text.labels}
        skeleton={<TableSkeleton label={text.loading} />}
        nothing={
          <Empty
            title={text.empty}
            action={<ButtonLink to={paths.addProduct}>{text.add}</ButtonLink>}
          >
            {text.emptyHint}
          </Empty>
        }
      >
        {(products, offset) => (
          <DataTable
            caption={text.caption}
            columns={columnsFor(address, ({ name }) => setDone(text.deleted(name)))}
            rows={products}
            rowKey={(product) => product._id}
            offset={offset}
          />
        )}
      </PagedList>
    </>
  );
}
