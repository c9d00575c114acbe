import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { Product, ProductSort } from '@/api/types';
import { StockBadge } from '@/features/catalog/components/stock-badge';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { stockLevel } from '@/lib/stock';
import { TABLE_NAME } from '@/lib/truncate';
import { Badge } from '@/ui/badge';
import { ButtonLink } from '@/ui/button';
import type { Column } from '@/ui/data-table';
import { ProductPicture } from '@/ui/product-picture';
import { Truncated } from '@/ui/truncated';
import { headerSort } from '../shared/header-sort';
import { CorrectStock } from './components/correct-stock';
import { DeleteProduct } from './components/delete-product';
import { PriceCell } from './components/price-cell';
import { RestockProduct } from './components/restock-product';
import { RestoreProduct } from './components/restore-product';
import { messages } from './messages';

const { manage: text } = messages;

interface Sorting {
  sort: ProductSort;
  sortBy: (sort: ProductSort) => void;
}

const byPrice = { ascending: 'price', descending: '-price' } as const;

/** What both lists show of a product; `nameOf` draws its name. */
function factsWith(
  sorting: Sorting,
  nameOf: (product: Product) => ReactNode,
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
      sort: headerSort(sorting, { ascending: 'name' }),
      cell: (product) => (
        <div className="grid justify-items-start gap-1.5 max-xs:[&_.badge]:text-xs">
          {nameOf(product)}
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
  ];
}

/** The columns of the products for sale. */
export function columnsFor(
  sorting: Sorting,
  onDeleted: (product: Product) => void,
): readonly Column<Product>[] {
  return [
    ...factsWith(sorting, (product) => (
      <Link to={paths.product(product._id)} className="link-accent xl:whitespace-nowrap">
        <Truncated text={product.name} length={TABLE_NAME} />
      </Link>
    )),
    {
      header: text.columns.price,
      sort: headerSort(sorting, byPrice),
      cell: (product) => <PriceCell product={product} />,
      numeric: true,
    },
    {
      header: text.columns.actions,
      cell: (product) => (
        <div className="flex flex-wrap gap-2">
          <ButtonLink
            variant="outline"
            to={paths.editProduct(product._id)}
            state={{ fromList: true }}
          >
            {messages.edit.button}
            <span className="sr-only"> {product.name}</span>
          </ButtonLink>
          <RestockProduct product={product} />
          <CorrectStock product={product} />
          <DeleteProduct product={product} onDeleted={onDeleted} />
        </div>
      ),
    },
  ];
}

/** The columns of archived products. */
export function archivedColumns(
  sorting: Sorting,
  onRestored: (product: Product) => void,
): readonly Column<Product>[] {
  return [
    ...factsWith(sorting, ({ name }) => (
      <span className="font-semibold">
        <Truncated text={name} length={TABLE_NAME} />
      </span>
    )),
    {
      header: text.columns.price,
      sort: headerSort(sorting, byPrice),
      cell: (product) => formatMoney(product.price),
      numeric: true,
    },
    {
      header: text.columns.actions,
      cell: (product) => <RestoreProduct product={product} onRestored={onRestored} />,
    },
  ];
}
