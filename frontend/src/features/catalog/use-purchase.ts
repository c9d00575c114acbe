import { useState } from 'react';
import { isRetryable, type Problem, problemOf } from '@/api/problem';
import type { OrderedForVehicle, Person, Product } from '@/api/types';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { totalAt } from '@/lib/tiers';
import { useClampedQuantity } from '@/lib/use-clamped-quantity';
import { notify } from '@/ui/notify';
import { type SentOrder, usePlaceOrderMutation } from './api';
import { dropDraft, keepDraft, readDraft } from './draft';
import { billingMessages } from './pages/messages';
import {
  dropUnanswered,
  keepUnanswered,
  type ProductOrder,
  readUnanswered,
  type Unanswered,
} from './unanswered';

/** A vehicle as an order takes it. */
export type VehicleOfOrder = OrderedForVehicle;

/** What is typed besides the quantity. */
export interface BillingValues {
  name: string;
  phone: string;
  address: string;
}

export interface Placed {
  orderId: string;
  quantity: number;
  total: number;
  /** Whether it may have been placed before this page asked how many are left. */
  repeated: boolean;
}

/** An order that was sent without an answer, and what is known of it. */
interface NoResponse {
  sent: Unanswered;
  message: string;
}

/** What is kept of an order when the session ended as it was sent. */
function interrupted({ name, phone, address, quantity }: ProductOrder, owner: string) {
  const origin = 'interrupted' as const;
  return { name, phone, address, quantity: String(quantity), owner, open: true, origin };
}

/** The order as it is sent: what was typed, and the product as the page shows it. */
function orderOf(
  product: Product,
  { name, phone, address }: BillingValues,
  email: string,
  quantity: number,
  vehicle: VehicleOfOrder | undefined,
): ProductOrder {
  return {
    name: name.trim(),
    email,
    quantity,
    price: totalAt(product, quantity),
    address: address.trim(),
    phone: phone.trim(),
    img: product.img,
    productName: product.name,
    category: product.category,
    details: product.description,
    status: 'Pending',
    productId: product._id,
    ...(vehicle ? { vehicle } : {}),
  };
}

/** Sends orders, each under its key, and keeps the one that was not answered. */
function usePlacing(productId: string, owner: string) {
  const [placeOrder, { isLoading }] = usePlaceOrderMutation();
  const [earlier] = useState(() => readUnanswered(productId, owner));
  const keys = useIdempotencyKeys(earlier && { payload: earlier.order, key: earlier.key });
  const [noResponse, setNoResponse] = useState<NoResponse | null>(
    earlier && { sent: earlier, message: billingMessages.noAnswer },
  );

  const place = async (order: ProductOrder): Promise<{ placed?: Placed; refused?: Problem }> => {
    const key = keys.keyFor(order);
    const known = noResponse?.sent.key === key ? noResponse.sent : null;
    const sent = known ?? { owner, key, since: Date.now(), order };
    const repeated = key === earlier?.key;
    keepUnanswered(sent);
    const call: SentOrder = { newOrder: order, 'Idempotency-Key': key, repeated };
    const { data, error } = await placeOrder(call);
    const problem = problemOf(error);
    if (!data && isRetryable(problem)) {
      setNoResponse({ sent, message: problem.message });
      return {};
    }
    // A refusal too is for good: the server would answer the same key with it, whatever has changed since.
    keys.finish();
    dropUnanswered(productId);
    if (data) {
      const { quantity, price: total } = order;
      return { placed: { orderId: data.insertedId, quantity, total, repeated } };
    }
    setNoResponse(null);
    return { refused: problem };
  };

  return { isLoading, noResponse, place };
}

/**
 * The state of one purchase: quantity, draft, idempotency key and how the last try ended. What is typed survives Esc, a
 * reload and the end of the session; an order without an answer can be sent again and is placed once at most. `chosen` is
 * the quantity to begin with, else the draft's.
 */
export function usePurchase(
  product: Product,
  user: Person,
  onPlaced: (placed: Placed) => void,
  chosen?: string,
  vehicle?: VehicleOfOrder,
) {
  const { _id: productId, minOrder } = product;
  const owner = user.email;
  const [draft] = useState(() => readDraft(productId, owner));
  const [problem, setProblem] = useState<Problem | null>(null);
  const { isLoading, noResponse, place } = usePlacing(productId, owner);
  const quantity = useClampedQuantity(minOrder, product.availableQty, chosen ?? draft?.quantity);

  const send = async (order: ProductOrder): Promise<Record<string, string>> => {
    setProblem(null);
    const { placed, refused } = await place(order);
    if (placed) {
      quantity.reset();
      dropDraft(productId);
      onPlaced(placed);
    }
    if (!refused) return {};
    setProblem(refused);
    if (refused.status === 401) {
      keepDraft(productId, interrupted(order, owner));
      // By now the guard may have taken the form away; the sentence must be seen all the same.
      notify.error(billingMessages.sessionEnded);
    }
    if (refused.slug === 'out-of-stock' && refused.available !== undefined) {
      quantity.change(String(Math.max(refused.available, minOrder)));
    }
    return refused.errors;
  };

  /** Keeps what is typed for the next time the form is opened. */
  const keep = (values: BillingValues) => {
    const { text } = quantity;
    keepDraft(productId, { ...values, owner, quantity: text, open: false, origin: 'typed' });
  };

  return {
    draft,
    isLoading,
    noResponse,
    /** Why the last try was refused; null before, and while it is not known. */
    problem,
    quantity,
    total: totalAt(product, quantity.quantity),
    keep,
    /** Sends what is typed. Returns the server's messages by field. */
    order: (values: BillingValues) =>
      send(orderOf(product, values, owner, quantity.settle(), vehicle)),
    /** Sends the order without an answer again, whatever the form says by now. */
    retry: async () => (noResponse ? send(noResponse.sent.order) : {}),
  };
}

export type Purchase = ReturnType<typeof usePurchase>;
