import { Link } from 'react-router-dom';
import type { Part } from '@/api/parts';
import { AddToOrder } from '@/features/basket/components/add-to-order';
import { FitBadge } from '@/features/fitment/components/fit-badge';
import { formatBigMoney, formatCount } from '@/lib/money';
import { stockLevel } from '@/lib/stock';
import { lowestPrice } from '@/lib/tiers';
import { CARD_DESCRIPTION, CARD_NAME } from '@/lib/truncate';
import { Badge } from '@/ui/badge';
import { ButtonLink } from '@/ui/button';
import { ImagePlaceholder } from '@/ui/image-placeholder';
import { ProductPicture } from '@/ui/product-picture';
import { Skeleton } from '@/ui/skeleton';
import { Truncated } from '@/ui/truncated';
import { cardMessages, stockMessages } from '../pages/messages';
import { useProductLink } from '../use-product-link';
import { TravelingPicture } from './traveling-picture';

const SIZES = '(min-width: 80rem) 19rem, (min-width: 64rem) 31vw, (min-width: 40rem) 46vw, 94vw';

/** No screen shows more of them side by side. */
const FIRST_ROW = 4;

/** The grids that cards and their skeletons share: all of a page, or what the shop's filters leave of it. */
export const cardGrid = 'grid gap-x-5 gap-y-8 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4';
export const shopGrid = 'grid gap-x-5 gap-y-8 sm:grid-cols-2 xl:grid-cols-3';

interface ProductCardProps {
  product: Part;
  /** Its picture is among the first things seen. */
  first?: boolean;
  /** The address of the list that shows it, where one may want to go back to it. */
  results?: string;
}

/**
 * A product in the grid. All of it leads to the product: its name's link lies over the card, and only the button lies above.
 */
export function ProductCard({ product, first = false, results }: ProductCardProps) {
  const level = stockLevel(product);
  const lowest = lowestPrice(product);
  const link = useProductLink(product._id, results);
  return (
    <article className="card-surface group relative flex flex-col overflow-hidden transition-shadow hover:shadow-raised">
      <div className="relative overflow-hidden">
        <TravelingPicture id={product._id}>
          <ProductPicture
            img={product.img}
            alt=""
            sizes={SIZES}
            first={first}
            className="transition-transform duration-300 group-hover:scale-[1.03]"
          />
        </TravelingPicture>
        {level !== 'in' && (
          <span className="absolute top-3 left-3 rounded-selector bg-surface">
            <Badge tone={level === 'low' ? 'warning' : 'error'}>{stockMessages[level]}</Badge>
          </span>
        )}
      </div>
      <div className="flex flex-1 flex-col gap-3 p-4">
        <div>
          {product.partNumber && (
            <p className="text-sm text-muted">
              <span className="sr-only">{cardMessages.partNumber} </span>
              {product.partNumber}
            </p>
          )}
          <h3 className="text-2xl normal-case">
            <Link
              {...link}
              title={product.name}
              className="after:absolute after:inset-0 hover:underline"
            >
              <Truncated text={product.name} length={CARD_NAME} />
            </Link>
          </h3>
          {product.via && <p className="text-sm font-semibold text-accent">{product.via}</p>}
          {product.fit && (
            <p className="mt-1">
              <FitBadge fit={product.fit} />
            </p>
          )}
        </div>
        <p className="flex-1 text-sm text-muted">
          <Truncated text={product.description} length={CARD_DESCRIPTION} />
        </p>
        <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1 border-t border-base-300 pt-3 text-sm">
          <dt className="text-muted">{cardMessages.minimum}</dt>
          <dd className="text-right font-semibold">{formatCount(product.minOrder)}</dd>
          <dt className="text-muted">{cardMessages.available}</dt>
          <dd className="text-right font-semibold">{formatCount(product.availableQty)}</dd>
          {lowest.varies && (
            <>
              <dt className="text-muted">{cardMessages.byQuantity}</dt>
              <dd className="text-right font-semibold">{cardMessages.fromPrice(lowest.price)}</dd>
            </>
          )}
        </dl>
        <div className="flex flex-wrap items-end justify-between gap-3">
          <p>
            <span className="block text-sm text-muted">{cardMessages.price}</span>
            <span className="font-display text-3xl leading-none font-bold">
              {formatBigMoney(product.price)}
            </span>
          </p>
          <div className="relative z-1 flex gap-2">
            <AddToOrder short product={product} quantity={product.minOrder} />
            <ButtonLink {...link}>
              {cardMessages.purchase} <span className="sr-only">{product.name}</span>
            </ButtonLink>
          </div>
        </div>
      </div>
    </article>
  );
}

interface CardSkeletonsProps {
  count: number;
  label: string;
  /** Where they are the first thing seen: their pictures may come with the page. */
  pictured?: boolean;
  grid?: string;
}

export function CardSkeletons({
  count,
  label,
  pictured = false,
  grid = cardGrid,
}: CardSkeletonsProps) {
  return (
    <div role="status" aria-label={label} className={grid}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the shapes are all alike.
        <div key={index} className="card-surface overflow-hidden">
          {pictured && index < FIRST_ROW ? (
            <ImagePlaceholder sizes={SIZES} className="rounded-none" />
          ) : (
            <Skeleton className="aspect-4/3 w-full rounded-none" />
          )}
          <div className="grid gap-3 p-4">
            <Skeleton className="h-4 w-20" />
            <Skeleton className="h-6 w-3/4" />
            <Skeleton className="h-4 w-full" />
            <Skeleton className="h-4 w-5/6" />
            <Skeleton className="mt-3 h-4 w-full" />
            <Skeleton className="h-4 w-full" />
            <div className="flex items-end justify-between">
              <Skeleton className="h-9 w-20" />
              <Skeleton className="h-11 w-28" />
            </div>
          </div>
        </div>
      ))}
    </div>
  );
}
