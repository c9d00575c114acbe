import type { FormikErrors, FormikHelpers } from 'formik';
import { type CallError, isRetryable, problemOf } from '@/api/problem';
import type { IdempotencyKeys } from '@/lib/idempotency-key';

/**
 * After a form was refused: puts the shop's messages at their fields, and answers the sentence for the rest, or null when
 * every word has its field. `nameOf` turns the wire's field names into the form's.
 *
 * Without an answer the key stays, so that Retry cannot do it twice; an answer ends it, since the server would only repeat it.
 */
export function takeRefusal<Values extends object>(
  error: CallError | undefined,
  values: Values,
  { setErrors }: Pick<FormikHelpers<Values>, 'setErrors'>,
  keys?: IdempotencyKeys,
  nameOf: (wireName: string) => string = (name) => name,
): string | null {
  const problem = problemOf(error);
  if (!isRetryable(problem)) keys?.finish();
  const named = Object.entries(problem.errors).map(([name, text]) => [nameOf(name), text] as const);
  const own = named.filter(([name]) => name in values);
  if (own.length > 0) setErrors(Object.fromEntries(own) as FormikErrors<Values>);
  return own.length > 0 && own.length === named.length ? null : problem.message;
}
