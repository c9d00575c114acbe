import { type CallError, isRetryable, problemOf } from '@/api/problem';
import type { Confirmation } from '@/api/types';
import type { IdempotencyKeys } from '@/lib/idempotency-key';
import type { PaymentGateway } from '../gateway';
import { messages } from '../messages';
import type { SandboxCard } from './card';

type Send = (call: { confirmation: Confirmation; 'Idempotency-Key': string }) => PromiseLike<{
  data?: { id: string; status: string } | undefined;
  error?: CallError | undefined;
}>;

/** The server's own stand-in for a card provider. No money moves. */
export function sandboxGateway(send: Send, keys: IdempotencyKeys): PaymentGateway<SandboxCard> {
  return {
    confirm: async (clientSecret, card, payer) => {
      const confirmation = { clientSecret, card, billingDetails: payer };
      const { data, error } = await send({
        confirmation,
        'Idempotency-Key': keys.keyFor(confirmation),
      });
      if (data) {
        keys.finish();
        return data.status === 'succeeded'
          ? { kind: 'paid', transactionId: data.id }
          : { kind: 'refused', message: messages.sandbox.incomplete };
      }
      const problem = problemOf(error);
      // Any failure of the server may have come after the money moved.
      if (isRetryable(problem) || problem.status >= 500) {
        return { kind: 'unanswered', message: problem.message };
      }
      // A refused card may be tried again, and must then be checked again.
      keys.finish();
      return problem.status === 409 || problem.status === 404
        ? { kind: 'overtaken', message: problem.message }
        : { kind: 'refused', message: problem.message };
    },
  };
}
