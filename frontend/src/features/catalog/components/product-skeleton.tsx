import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { ImagePlaceholder } from '@/ui/image-placeholder';
import { Skeleton } from '@/ui/skeleton';
import { ALL_DEALS, LOADING_PRODUCT } from '../messages';

/** How wide the picture is drawn at which screen. */
export const PICTURE_SIZES = '(min-width: 80rem) 42rem, (min-width: 64rem) 54vw, 94vw';
export const columns =
  'grid grid-cols-[minmax(0,1fr)] gap-8 lg:grid-cols-[minmax(0,7fr)_minmax(0,5fr)] lg:gap-12';

/** What stands around a product, whatever is known of it. */
export function ProductFrame({ children }: { children: ReactNode }) {
  return (
    <div className="shell py-8 lg:py-12">
      <Link
        to={paths.shop}
        className="mb-4 inline-flex min-h-11 items-center gap-2 text-muted hover:text-base-content hover:underline"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        {ALL_DEALS}
      </Link>
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
