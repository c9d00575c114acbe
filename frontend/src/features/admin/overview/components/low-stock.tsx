import { Link } from 'react-router-dom';
import type { Product } from '@/api/types';
import { StockBadge } from '@/features/catalog/components/stock-badge';
import { paths } from '@/lib/paths';
import { ProductPicture } from '@/ui/product-picture';
import { messages } from '../messages';

const { lowStock: text } = messages;

/** Where the product can be restocked: Manage Products, narrowed to it. */
const categoryOf = ({ partNumber, name }: Product) =>
  `${paths.manage}?${new URLSearchParams({ q: partNumber ?? name })}`;

export function LowStock({ products }: { products: readonly Product[] }) {
  return (
    <section
      aria-labelledby="low-stock"
      className="card-surface grid min-w-0 content-start gap-5 p-4 sm:p-6"
    >
      <div>
        <h2 id="low-stock" className="text-2xl">
          {text.title}
        </h2>
        <p className="text-sm text-muted">{text.note}</p>
      </div>
      {products.length > 0 ? (
        <ul className="divide-y divide-base-300">
          {products.map((product) => (
            <li key={product._id} className="flex items-start gap-4 py-3 first:pt-0 last:pb-0">
              <div className="w-16 shrink-0">
                <ProductPicture img={product.img} alt="" sizes="4rem" className="rounded-field" />
              </div>
              <div className="grid min-w-0 flex-1 gap-1">
                <Link
                  to={categoryOf(product)}
                  className="font-semibold break-words hover:text-accent hover:underline"
                >
                  {product.name}
                </Link>
                <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
                  <StockBadge product={product} />
                  <span className="text-sm text-muted">
                    {text.left(product.availableQty, product.minOrder)}
                  </span>
                </div>
              </div>
            </li>
          ))}
        </ul>
      ) : (
        <p className="grid min-h-40 place-content-center text-center text-muted">{text.empty}</p>
      )}
    </section>
  );
}
