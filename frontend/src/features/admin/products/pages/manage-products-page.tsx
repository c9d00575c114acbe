import { useEffect, useRef, useState } from 'react';
import type { Page } from '@/api/page';
import type { Product, ProductSort } from '@/api/types';
import { useGetProductsQuery } from '@/features/catalog/api';
import { sortLabels } from '@/features/catalog/sorts';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { TABLE_NAME } from '@/lib/truncate';
import { usePageTitle } from '@/lib/use-page-title';
import { Badge } from '@/ui/badge';
import { Button, ButtonLink } from '@/ui/button';
import { cx } from '@/ui/cx';
import { type Column, DataTable } from '@/ui/data-table';
import { Field } from '@/ui/field';
import { ProductPicture } from '@/ui/product-picture';
import { TableSkeleton } from '@/ui/skeleton';
import { StandingAlert } from '@/ui/standing-alert';
import { Empty, ErrorState } from '@/ui/states';
import { Truncated } from '@/ui/truncated';
import { DeleteProduct } from '../components/delete-product';
import { RestockProduct } from '../components/restock-product';
import { PAGE_SIZE, useShelf } from '../use-shelf';

function columnsFor(onDeleted: (product: Product) => void): readonly Column<Product>[] {
  return [
    { header: 'No.', cell: (_product, index) => index + 1 },
    {
      header: 'Image',
      cell: (product) => (
        <div className="w-24 md:w-20">
          <ProductPicture img={product.img} alt="" sizes="6rem" className="rounded-field" />
        </div>
      ),
    },
    {
      header: 'Name',
      cell: (product) => (
        <div className="grid justify-items-start gap-1.5 max-xs:[&_.badge]:text-xs">
          <span className="font-semibold xl:whitespace-nowrap">
            <Truncated text={product.name} length={TABLE_NAME} />
          </span>
          <Badge>{product.category}</Badge>
        </div>
      ),
    },
    { header: 'Quantity', cell: (product) => formatCount(product.availableQty), numeric: true },
    { header: 'Price per unit', cell: (product) => formatMoney(product.price), numeric: true },
    {
      header: 'Actions',
      cell: (product) => (
        <div className="flex flex-wrap gap-2 xl:flex-nowrap">
          <RestockProduct product={product} />
          <DeleteProduct product={product} onDeleted={onDeleted} />
        </div>
      ),
    },
  ];
}

function SearchBar({ shelf }: { shelf: ReturnType<typeof useShelf> }) {
  return (
    <search className="mb-6 grid items-end gap-4 sm:grid-cols-[minmax(0,1fr)_14rem]">
      <Field label="Search">
        {(wiring) => (
          <input
            {...wiring}
            type="search"
            className="input"
            placeholder="Name, category or part number"
            maxLength={200}
            value={shelf.text}
            onChange={(event) => shelf.setText(event.target.value)}
          />
        )}
      </Field>
      <Field label="Sort by">
        {(wiring) => (
          <select
            {...wiring}
            className="select"
            value={shelf.shelf.sort}
            onChange={(event) => shelf.setSort(event.target.value as ProductSort)}
          >
            {Object.entries(sortLabels).map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
    </search>
  );
}

function Rows({
  answer,
  shelf,
  busy,
  onDeleted,
}: {
  answer: Page<Product>;
  shelf: ReturnType<typeof useShelf>;
  busy: boolean;
  onDeleted: (product: Product) => void;
}) {
  const top = useRef<HTMLParagraphElement>(null);
  const { items: products, total, next } = answer;
  const offset = shelf.page * PAGE_SIZE;
  const turn = (move: () => void) => () => {
    move();
    // The buttons stand below the rows; the next page begins above them.
    top.current?.scrollIntoView({ block: 'center' });
  };

  return (
    <div aria-busy={busy || undefined}>
      <p ref={top} role="status" className="mb-4 text-sm text-muted">
        {total === 1
          ? '1 product'
          : `${formatCount(offset + 1)} to ${formatCount(offset + products.length)} of ${formatCount(total)} products`}
      </p>
      <div className={cx('transition-opacity', busy && 'opacity-60')}>
        <DataTable
          caption="Products"
          columns={columnsFor(onDeleted)}
          rows={products}
          rowKey={(product) => product._id}
          offset={offset}
        />
      </div>
      {(shelf.page > 0 || next !== null) && (
        <nav aria-label="Pages" className="mt-6 flex flex-wrap items-center justify-center gap-4">
          <Button look="outline" disabled={shelf.page === 0 || busy} onClick={turn(shelf.back)}>
            Previous
          </Button>
          <span className="tabular-nums">
            Page {formatCount(shelf.page + 1)} of {formatCount(Math.ceil(total / PAGE_SIZE))}
          </span>
          <Button
            look="outline"
            disabled={next === null || busy}
            onClick={turn(() => next !== null && shelf.forward(next))}
          >
            Next
          </Button>
        </nav>
      )}
    </div>
  );
}

export default function ManageProductsPage() {
  usePageTitle('Manage Products');
  const shelf = useShelf();
  const { data, currentData, error, isError, isFetching, refetch } = useGetProductsQuery(
    shelf.shelf,
    { refetchOnMountOrArgChange: true },
  );
  const [deleted, setDeleted] = useState<Product | null>(null);
  // The last answer stays, dimmed, while the next one loads.
  const answer = currentData ?? (isError ? undefined : data);

  // The last row of a later page was deleted: what is left stands on the page before.
  const emptied = currentData?.items.length === 0 && shelf.page > 0;
  const { back } = shelf;
  const goBack = useRef(back);
  goBack.current = back;
  useEffect(() => {
    if (emptied) goBack.current();
  }, [emptied]);

  return (
    <>
      <div className="mb-8 flex flex-wrap items-center justify-between gap-4">
        <h1 className="heading-mark text-4xl sm:text-5xl">Manage Products</h1>
        <ButtonLink look="outline" to={paths.addProduct}>
          Add Product
        </ButtonLink>
      </div>
      {deleted && (
        <StandingAlert tone="success" onDismiss={() => setDeleted(null)}>
          {deleted.name} is deleted.
        </StandingAlert>
      )}
      <SearchBar shelf={shelf} />
      {answer && !emptied ? (
        answer.items.length > 0 ? (
          <Rows answer={answer} shelf={shelf} busy={isFetching} onDeleted={setDeleted} />
        ) : shelf.shelf.q ? (
          <Empty
            title="No product matches"
            action={
              <Button look="outline" onClick={shelf.clear}>
                Show all products
              </Button>
            }
          >
            Try another word, or look at all of them.
          </Empty>
        ) : (
          <Empty
            title="No products yet"
            action={<ButtonLink to={paths.addProduct}>Add Product</ButtonLink>}
          >
            What you add stands in the shop at once.
          </Empty>
        )
      ) : isError && !isFetching ? (
        <ErrorState title="The products did not load" error={error} onRetry={refetch} />
      ) : (
        <TableSkeleton label="Loading products" />
      )}
    </>
  );
}
