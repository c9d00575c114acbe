import { ArrowLeft } from 'lucide-react';
import type { MouseEvent } from 'react';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import type { Product } from '@/api/types';
import { categoryLabel } from '@/lib/categories';
import { plainShop } from '../api';
import { productMessages as messages } from '../pages/messages';
import { resultsOf } from '../results';
import { writeFilter } from '../use-shop-filter';

const link = 'inline-flex min-h-11 items-center hover:text-base-content hover:underline';

/** Back to the list that led here, as it was; nothing where none did. */
export function BackToResults() {
  const { state } = useLocation();
  const navigate = useNavigate();
  const results = resultsOf(state);
  if (!results) return null;
  const back = (event: MouseEvent) => {
    // In another tab there is nothing to go back to: the link leads there by itself.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    void navigate(-1);
  };
  return (
    <Link to={results} onClick={back} className={`${link} shrink-0 gap-2`}>
      <ArrowLeft aria-hidden="true" className="size-4" />
      {messages.back}
    </Link>
  );
}

/** Where the product belongs: its category, which leads to the others, and its name. */
export function ProductCrumbs({ product }: { product: Product }) {
  const { category, name } = product;
  const label = categoryLabel(category);
  const others = writeFilter({ ...plainShop, category });
  return (
    <>
      <li className="shrink-0">
        <span aria-hidden="true">/ </span>
        <Link to={`/shop?${others}`} className={link}>
          {label}
        </Link>
      </li>
      <li aria-current="page" className="truncate">
        <span aria-hidden="true">/ </span>
        {name}
      </li>
    </>
  );
}
