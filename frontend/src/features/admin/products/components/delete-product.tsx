import type { Product } from '@/api/types';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { useArchiveProductMutation } from '../api';

export function DeleteProduct({
  product,
  onDeleted,
}: {
  product: Product;
  onDeleted: (product: Product) => void;
}) {
  const [remove] = useArchiveProductMutation();
  return (
    <ConfirmedButton
      label="Delete"
      context={product.name}
      question={`Are you sure you want to delete this ${product.name}`}
      note="It leaves the shop at once. Orders of it stay as they are."
      danger
      // `deletedCount` may be 0, when another admin was faster: gone is what was wanted.
      onConfirm={() => remove(product._id)}
      onDone={() => onDeleted(product)}
    />
  );
}
