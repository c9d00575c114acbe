import { useGetProductQuery } from '@/features/catalog/api';
import { Skeleton } from '@/ui/skeleton';

interface PartNameProps {
  productId: string;
  /** What is known of it already. */
  name?: string;
  partNumber?: string | null;
}

/** Which part a row is about, asked for where the row does not say. */
export function PartName({ productId, name, partNumber }: PartNameProps) {
  const { data, isError } = useGetProductQuery(productId, { skip: Boolean(name) });
  const shown = name ? { name, partNumber } : data;
  if (!shown) return isError ? productId : <Skeleton className="h-6 w-40" />;
  return (
    <>
      <span className="block font-semibold wrap-anywhere">{shown.name}</span>
      {shown.partNumber && <span className="block text-sm text-muted">{shown.partNumber}</span>}
    </>
  );
}
