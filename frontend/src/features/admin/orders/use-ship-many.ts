import { useState } from 'react';
import { problemOf } from '@/api/problem';
import type { Order } from '@/api/types';
import { useSessionDispatch } from '@/features/accounts/session/use-session';
import { shipOrder } from './api';

/** How many are shipped at the same time. */
const AT_ONCE = 3;

/** What came of shipping several orders. */
export interface ShippedMany {
  shipped: number;
  /** Those that were not, with the server's reason. */
  refused: readonly { order: Order; reason: string }[];
}

/** Ships several orders. One that is refused holds up no other. */
export function useShipMany() {
  const dispatch = useSessionDispatch();
  const [finished, setFinished] = useState(0);

  const shipMany = async (orders: readonly Order[]): Promise<ShippedMany> => {
    setFinished(0);
    const waiting = [...orders];
    const reasons = new Map<string, string>();
    const work = async () => {
      for (let order = waiting.shift(); order; order = waiting.shift()) {
        const { error } = await dispatch(shipOrder.initiate(order._id));
        if (error) reasons.set(order._id, problemOf(error).message);
        setFinished((before) => before + 1);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    const refused = orders.flatMap((order) => {
      const reason = reasons.get(order._id);
      return reason === undefined ? [] : [{ order, reason }];
    });
    return { shipped: orders.length - refused.length, refused };
  };

  return { shipMany, finished };
}
