import { Link } from 'react-router-dom';
import type { Order } from '@/api/types';
import { paths } from '@/lib/paths';

/** Who placed an order, with the way to their page. */
export function CustomerLink({ order }: { order: Order }) {
  return (
    <Link to={paths.customer(order.email)} className="link-accent">
      {order.name}
    </Link>
  );
}
