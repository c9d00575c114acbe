import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { ImagePlaceholder } from '@/ui/image-placeholder';
import { Skeleton } from '@/ui/skeleton';
import { BREADCRUMB, LOADING_PRODUCT, SHOP } from '../messages';

/** How wide the picture is drawn at which screen. */
export const PICTURE_SIZES = '(min-width: 80rem) 42rem, (min-width: 64rem) 54vw, 94vw';
export const columns =
  'grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:gap-12';

interface ProductFrameProps {
  /** The way back to a list that led here. */
  back?: ReactNode;
  /** What follows the shop in the breadcrumb, once the product is known. */
  crumbs?: ReactNode;
  children: ReactNode;
}

/** The frame around a product, whatever is known of it. */
export function ProductFrame({ back, crumbs, children }: ProductFrameProps) {
  return (
    <div className="shell py-8 lg:py-12">
      <div className="mb-4 flex items-center gap-5 text-muted">
        {back}
        <nav aria-label={BREADCRUMB} className="min-w-0">
          <ol className="flex items-center gap-2">
            <li>
              <Link
                to={paths.shop}
                className="inline-flex min-h-11 items-center hover:text-base-content hover:underline"
              >
                {SHOP}
              </Link>
            </li>
            {crumbs}
          </ol>
        </nav>
      </div>
      {children}
    </div>
  );
}

export function ProductSkeleton() {
  return (
    <div role="status" aria-label={LOADING_PRODUCT} className={columns}>
      <ImagePlaceholder sizes={PICTURE_SIZES} className="rounded-box border border-base-300" />
      <div className="grid content-start gap-5">
        <Skeleton className="h-5 w-32" />
        <Skeleton className="h-12 w-full" />
        <Skeleton className="h-12 w-2/3" />
        <Skeleton className="h-14 w-40" />
        <Skeleton className="h-40 w-full" />
        <Skeleton className="h-24 w-full" />
        <Skeleton className="h-14 w-full" />
      </div>
    </div>
  );
}

/** The whole page while it is not even known who is asking. */
export function ProductPageSkeleton() {
  return (
    <ProductFrame>
      <ProductSkeleton />
    </ProductFrame>
  );
}
