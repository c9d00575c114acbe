import { useState } from 'react';
import { readProblem } from '@/api/problem';
import type { Product } from '@/api/types';
import { Button } from '@/ui/button';
import { ConfirmDialog } from '@/ui/confirm-dialog';
import { useDeleteProductMutation } from '../api';

export function DeleteProduct({
  product,
  onDeleted,
}: {
  product: Product;
  onDeleted: (product: Product) => void;
}) {
  const [asking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const [remove, { isLoading }] = useDeleteProductMutation();

  const confirm = async () => {
    setFailure(null);
    // `deletedCount` may be 0, when another admin was faster: gone is what was wanted.
    const answer = await remove(product._id);
    if (answer.error) {
      setFailure(readProblem(answer.error).message);
      return;
    }
    setAsking(false);
    onDeleted(product);
  };

  return (
    <>
      <Button
        look="outline"
        aria-haspopup="dialog"
        onClick={() => {
          setFailure(null);
          setAsking(true);
        }}
      >
        Delete<span className="sr-only"> {product.name}</span>
      </Button>
      <ConfirmDialog
        open={asking}
        title="Delete"
        question={`Are you sure you want to delete this ${product.name}`}
        note="It leaves the shop at once. Orders of it stay as they are."
        danger
        busy={isLoading}
        error={failure}
        onConfirm={confirm}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
