import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { useGetProductQuery } from '../api';
import { factMessages as messages } from '../pages/fact-messages';
import { productMessages } from '../pages/messages';
import { ProductCard, shopGrid } from './product-card';

/** In place of a part that is no longer made: the one that took its place. */
export function Replaced({ by }: { by: string }) {
  const { data, isError } = useGetProductQuery(by);
  return (
    <div className="grid gap-8">
      <h1 className="sr-only">{productMessages.title}</h1>
      <Empty
        title={messages.replaced}
        action={<ButtonLink to={paths.product(by)}>{messages.replacedBy}</ButtonLink>}
      >
        {messages.replacedHint}
      </Empty>
      {data && !isError && (
        <div className={shopGrid}>
          <ProductCard product={data} first />
        </div>
      )}
    </div>
  );
}
