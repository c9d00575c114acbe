import { Link } from 'react-router-dom';
import type { Part } from '@/api/parts';
import { AddToOrder } from '@/features/basket/components/add-to-order';
import { FitBadge } from '@/features/fitment/components/fit-badge';
import { formatCount, formatMoney } from '@/lib/money';
import { lowestPrice } from '@/lib/tiers';
import { ButtonLink } from '@/ui/button';
import { ProductPicture } from '@/ui/product-picture';
import { Skeleton } from '@/ui/skeleton';
import { cardMessages } from '../pages/messages';
import { useProductLink } from '../use-product-link';
import { StockBadge } from './stock-badge';
import { TravelingPicture } from './traveling-picture';

interface ProductRowProps {
  product: Part;
  results: string;
}

/** A product in the list: little of it, so that many fit on a screen. All of the row leads to the product. */
export function ProductRow({ product, results }: ProductRowProps) {
  const link = useProductLink(product._id, results);
  const lowest = lowestPrice(product);
  return (
    <article className="relative flex items-center gap-3 px-4 py-2 hover:bg-base-200">
      <div className="w-16 shrink-0">
        <TravelingPicture id={product._id}>
          <ProductPicture img={product.img} alt="" sizes="64px" className="rounded-field" />
        </TravelingPicture>
      </div>
      <div className="min-w-0 flex-1">
        <h3 className="text-lg leading-tight normal-case">
          <Link {...link} className="block after:absolute after:inset-0 hover:underline">
            {/* What cuts the name off must not cut off the link's outline. */}
            <span className="block truncate">{product.name}</span>
          </Link>
        </h3>
        <p className="truncate text-sm text-muted">
          {product.partNumber && (
            <>
              <span className="sr-only">{cardMessages.partNumber} </span>
              <span className="font-semibold text-base-content">{product.partNumber}</span>{' '}
            </>
          )}
          {product.via ? (
            <span className="font-semibold text-accent">{product.via}</span>
          ) : (
            product.description
          )}
        </p>
      </div>
      <p className="w-28 text-right text-sm text-muted max-sm:hidden">
        {cardMessages.units(formatCount(product.availableQty))}
      </p>
      {product.fit && <FitBadge fit={product.fit} />}
      <div className="max-lg:hidden">
        <StockBadge product={product} />
      </div>
      <p className="text-right font-semibold">
        {formatMoney(product.price)}
        {lowest.varies && (
          <span className="block text-sm">{cardMessages.fromPrice(lowest.price)}</span>
        )}
        <span className="block text-sm text-muted">
          {cardMessages.from(formatCount(product.minOrder))}
        </span>
      </p>
      <AddToOrder
        short
        product={product}
        quantity={product.minOrder}
        className="relative z-1 max-sm:hidden"
      />
      <ButtonLink {...link} variant="outline" className="relative z-1 max-sm:hidden">
        {cardMessages.purchase} <span className="sr-only">{product.name}</span>
      </ButtonLink>
    </article>
  );
}

export function RowSkeletons({ count, label }: { count: number; label: string }) {
  return (
    <div role="status" aria-label={label} className="card-surface divide-y divide-base-300">
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the shapes are all alike.
        <div key={index} className="flex items-center gap-3 px-4 py-2">
          <Skeleton className="h-12 w-16" />
          <Skeleton className="h-6 w-full" />
          <Skeleton className="h-6 w-20" />
        </div>
      ))}
    </div>
  );
}
