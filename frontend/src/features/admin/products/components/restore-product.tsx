import { useState } from 'react';
import { problemOf } from '@/api/problem';
import type { Product } from '@/api/types';
import { Button } from '@/ui/button';
import { useRestoreProductMutation } from '../api';
import { messages } from '../messages';

const { restore: text } = messages;

interface RestoreProductProps {
  product: Product;
  onRestored: (product: Product) => void;
}

/** Puts an archived product up for sale again. It asks nothing: Delete undoes it. */
export function RestoreProduct({ product, onRestored }: RestoreProductProps) {
  const [restore, { isLoading }] = useRestoreProductMutation();
  const [failure, setFailure] = useState<string | null>(null);

  const submit = async () => {
    setFailure(null);
    const { error } = await restore(product._id);
    // `modifiedCount` may be 0, when another admin was faster: back is what was wanted.
    if (error) setFailure(problemOf(error).message);
    else onRestored(product);
  };

  return (
    <div className="grid justify-items-start gap-2">
      <Button variant="outline" busy={isLoading} onClick={submit}>
        {text.button}
        <span className="sr-only"> {product.name}</span>
      </Button>
      {failure && (
        <p role="alert" className="text-sm text-error">
          {failure}
        </p>
      )}
    </div>
  );
}
