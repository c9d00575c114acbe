import type { Product } from '@/api/types';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { useArchiveProductMutation } from '../api';
import { messages } from '../messages';

const { delete: text } = messages;

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
      label={text.button}
      context={product.name}
      question={text.question(product.name)}
      note={text.note}
      danger
      // `deletedCount` may be 0, when another admin was faster: gone is what was wanted.
      onConfirm={() => remove(product._id)}
      onDone={() => onDeleted(product)}
    />
  );
}
