import { useState } from 'react';
import { isRetryable, type Problem, problemOf } from '@/api/problem';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { usePlaceCheckoutMutation } from './api';
import { dropUnanswered, keepUnanswered, readUnanswered, type Unanswered } from './unanswered';
import type { CheckoutRequest, PlacedCheckout } from './wire';

export interface Outcome {
  placed?: PlacedCheckout;
  /** What was sent. */
  body: CheckoutRequest;
  /** Why it was refused; left out while nobody knows. */
  refused?: Problem;
}

/** Places checkouts, each under its key, and keeps the one that was not answered. */
export function usePlacing(owner: string) {
  const [place, { isLoading }] = usePlaceCheckoutMutation();
  const [earlier] = useState(() => readUnanswered(owner));
  const keys = useIdempotencyKeys(earlier && { payload: earlier.body, key: earlier.key });
  const [waiting, setWaiting] = useState<Unanswered | null>(earlier);

  const send = async (body: CheckoutRequest): Promise<Outcome> => {
    const key = keys.keyFor(body);
    const sent = waiting?.key === key ? waiting : { owner, key, since: Date.now(), body };
    keepUnanswered(sent);
    const { data, error } = await place({ body, key });
    const problem = problemOf(error);
    if (!data && isRetryable(problem)) {
      setWaiting(sent);
      return { body };
    }
    // A refusal too is for good: the shop would answer the same key with it, whatever has changed since.
    keys.finish();
    dropUnanswered();
    setWaiting(null);
    return data ? { placed: data, body } : { refused: problem, body };
  };

  return {
    isLoading,
    /** Whether a checkout was sent that nobody knows the end of. */
    isUnanswered: waiting !== null && !isLoading,
    send,
    /** Sends that one again, whatever the form says by now. */
    retry: () => (waiting ? send(waiting.body) : null),
  };
}
