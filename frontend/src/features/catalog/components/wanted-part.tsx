import type { ReactNode } from 'react';
import { ProductPicture } from '@/ui/product-picture';
import { Skeleton } from '@/ui/skeleton';
import { useGetProductQuery } from '../api';

interface WantedPartProps {
  productId: string;
  /** What is said of it, by its name. */
  sentence: (name: string) => ReactNode;
  /** Where the part cannot be shown. */
  otherwise: ReactNode;
}

/** The part that somebody was about to order before they had to say who they are. */
export default function WantedPart({ productId, sentence, otherwise }: WantedPartProps) {
  const { data, isError } = useGetProductQuery(productId);
  if (isError) return otherwise;
  return (
    <div className="flex items-center gap-4">
      <div className="w-24 shrink-0 overflow-hidden rounded-field border border-base-300">
        {data ? (
          <ProductPicture img={data.img} alt="" sizes="6rem" />
        ) : (
          <Skeleton className="aspect-4/3" />
        )}
      </div>
      <div className="min-w-0">{data ? sentence(data.name) : otherwise}</div>
    </div>
  );
}
