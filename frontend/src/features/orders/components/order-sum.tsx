import type { Order } from '@/api/types';
import { formatMoney } from '@/lib/money';
import { messages } from '../messages';

/** What a total is made of, for below it: `75 × $29.60`. */
export function OrderSum({ order }: { order: Order }) {
  return (
    <span className="block text-sm font-normal whitespace-nowrap text-muted">
      {messages.sum(order.quantity, formatMoney(order.unitPrice))}
    </span>
  );
}
