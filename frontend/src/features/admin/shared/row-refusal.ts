import { type FormikHelpers, getIn, setIn } from 'formik';
import { type CallError, isRetryable, problemOf } from '@/api/problem';
import type { IdempotencyKeys } from '@/lib/idempotency-key';

/** `bands[1].price` of the wire is `bands.1.price` of a form. */
const pathOf = (name: string) => name.replace(/\[(\d+)\]/g, '.$1');

/**
 * `takeRefusal` of `ui/refusal` for forms with rows: the shop's messages at their fields, whatever row these are in, and what
 * is left of them for the form. `nameOf` turns the wire's field names into the form's.
 */
export function takeRowRefusal<Values extends object>(
  error: CallError | undefined,
  values: Values,
  { setErrors }: Pick<FormikHelpers<Values>, 'setErrors'>,
  keys?: IdempotencyKeys,
  nameOf: (wireName: string) => string = (name) => name,
): string | null {
  const problem = problemOf(error);
  if (!isRetryable(problem)) keys?.finish();
  const named = Object.entries(problem.errors).map(
    ([name, text]) => [nameOf(pathOf(name)), text] as const,
  );
  const own = named.filter(([name]) => typeof getIn(values, name) === 'string');
  if (own.length > 0) {
    setErrors(own.reduce<object>((errors, [name, text]) => setIn(errors, name, text), {}));
  }
  if (own.length > 0 && own.length === named.length) return null;
  const others = named.filter(([name]) => !own.some(([known]) => known === name));
  return others[0]?.[1] ?? problem.message;
}
