import type { Order, OrderReturn } from '@/api/types';
import { AcceptReturn } from './accept-return';
import { DeclineReturn } from './decline-return';

interface DecideReturnProps {
  order: Order;
  asked: OrderReturn;
  onDone: (said: string) => void;
  /** When a refusal was read: the screen is old. */
  onRefused: () => void;
}

/** What an admin can answer to a return. */
export default function DecideReturn(props: DecideReturnProps) {
  return (
    <div className="flex flex-wrap gap-3">
      <AcceptReturn {...props} />
      <DeclineReturn {...props} />
    </div>
  );
}
