import { Formik, type FormikHelpers, type FormikValues, useFormikContext } from 'formik';
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { AnyObject, ObjectSchema } from 'yup';
import { isRetryable, type Problem } from '@/api/problem';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { Button } from '@/ui/button';
import { cx } from '@/ui/cx';
import { Form } from '@/ui/form';
import { SpinnerPage } from '@/ui/spinner';
import type { Outcome } from '../thunks';

interface AuthFormProps<Values extends FormikValues> {
  initial: Values;
  schema: ObjectSchema<Values & AnyObject>;
  action: string;
  /** What is awaited while the calls run. */
  waiting: string;
  onSubmit: (values: Values, key: string) => Promise<Outcome>;
  /** A message to begin with, such as why Google sent somebody back. */
  notice: string | null;
  children: ReactNode;
}

/**
 * Gives the keyboard its place back after a refusal, since the form was hidden: the password, selected, where that may be
 * what is wrong, else the button.
 */
function FocusAfterRefusal({
  area,
  refusal,
}: {
  area: RefObject<HTMLDivElement | null>;
  refusal: RefObject<Problem | null>;
}) {
  const { isSubmitting } = useFormikContext();
  useEffect(() => {
    const problem = refusal.current;
    if (isSubmitting || !problem) return;
    refusal.current = null;
    const password = area.current?.querySelector<HTMLInputElement>('[name="password"]');
    if (problem.status === 401 && password) {
      password.focus();
      password.select();
    } else area.current?.querySelector<HTMLButtonElement>('[type="submit"]')?.focus();
  }, [isSubmitting, area, refusal]);
  return null;
}

/**
 * The form of the screens by which one gets in. While the calls run a loading indicator stands where the form was; the form is
 * only hidden, so that what was typed is still there if the answer is no.
 */
export function AuthForm<Values extends FormikValues>({
  initial,
  schema,
  action,
  waiting,
  onSubmit,
  notice,
  children,
}: AuthFormProps<Values>) {
  const keys = useIdempotencyKeys();
  const area = useRef<HTMLDivElement>(null);
  const refusal = useRef<Problem | null>(null);
  const [answer, setMessage] = useState<string | null>();
  const message = answer === undefined ? notice : answer;

  const submit = async (typed: Values, helpers: FormikHelpers<Values>) => {
    setMessage(null);
    const values = schema.cast(typed) as Values;
    const outcome = await onSubmit(values, keys.keyFor(values));
    if (outcome.ok) return;
    const { errors } = outcome.problem;
    const own = Object.keys(errors).filter((field) => field in initial);
    for (const field of own) helpers.setFieldError(field, errors[field]);
    // A message that stands at its field need not be said twice.
    setMessage(own.length > 0 ? null : outcome.problem.message);
    if (own.length === 0) refusal.current = outcome.problem;
    // An answer ends the request, so the next try takes another key; no answer keeps it.
    if (!isRetryable(outcome.problem)) keys.finish();
  };

  return (
    <Formik
      validateOnBlur={false}
      initialValues={initial}
      validationSchema={schema}
      onSubmit={submit}
    >
      {({ isSubmitting }) => (
        <>
          {isSubmitting && <SpinnerPage label={waiting} />}
          <FocusAfterRefusal area={area} refusal={refusal} />
          <div ref={area} className={cx(isSubmitting && 'hidden')}>
            <Form className="contents">
              <div className="grid gap-5">
                {children}
                <div className="grid gap-2">
                  <p role="alert" className="text-sm font-semibold text-error empty:hidden">
                    {message}
                  </p>
                  <Button type="submit" className="w-full">
                    {action}
                  </Button>
                </div>
              </div>
            </Form>
          </div>
        </>
      )}
    </Formik>
  );
}
