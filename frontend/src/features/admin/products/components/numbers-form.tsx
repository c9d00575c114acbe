import { FieldArray, Formik } from 'formik';
import { useState } from 'react';
import { array, object, string } from 'yup';
import {
  numberKinds,
  type PartNumber,
  useGetNumbersQuery,
  usePutNumbersMutation,
} from '@/api/parts';
import { problemOf } from '@/api/problem';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { ErrorState } from '@/ui/error-state';
import { Form, SelectField, TextField } from '@/ui/form';
import { notify } from '@/ui/notify';
import { Skeleton } from '@/ui/skeleton';
import { messages } from '../messages';

const { numbers: text, rules } = messages;

const kinds = numberKinds.map((value) => ({ value, label: text.kinds[value] }));

interface Row {
  kind: PartNumber['kind'];
  number: string;
  brand: string;
  note: string;
}

const blank: Row = { kind: 'oe', number: '', brand: '', note: '' };

const schema = object({
  numbers: array().of(
    object({
      number: string()
        .trim()
        .required(rules.required(text.number))
        .max(60, rules.length(60))
        .matches(/[\p{L}\p{N}]/u, text.noSign),
      brand: string().trim().max(60, rules.length(60)),
      note: string().trim().max(240, rules.length(240)),
    }),
  ),
});

/** As it is sent: what is empty is left out. */
function wireOf({ kind, number, brand, note }: Row): PartNumber {
  return {
    kind,
    number: number.trim(),
    ...(brand.trim() ? { brand: brand.trim() } : {}),
    ...(note.trim() ? { note: note.trim() } : {}),
  };
}

function NumberRow({ place, onRemove }: { place: number; onRemove: () => void }) {
  const name = (field: keyof Row) => `numbers.${place}.${field}`;
  return (
    <li className="grid items-end gap-3 border-b border-base-300 pb-3 sm:grid-cols-2 lg:grid-cols-[1.2fr_1fr_1fr_1fr_auto]">
      <SelectField name={name('kind')} label={text.kind(place + 1)} options={kinds} />
      <TextField name={name('number')} label={text.numberOf(place + 1)} autoComplete="off" />
      <TextField name={name('brand')} label={text.brandOf(place + 1)} autoComplete="off" />
      <TextField name={name('note')} label={text.noteOf(place + 1)} autoComplete="off" />
      <Button variant="ghost" onClick={onRemove}>
        {text.remove} <span className="sr-only">{place + 1}</span>
      </Button>
    </li>
  );
}

function NumbersOf({ id, known }: { id: string; known: readonly PartNumber[] }) {
  const [put] = usePutNumbersMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const [initialValues] = useState(() => ({
    numbers: known.map(({ kind, number, brand = '', note = '' }) => ({
      kind,
      number,
      brand,
      note,
    })),
  }));
  const submit = async ({ numbers }: { numbers: Row[] }) => {
    setFailure(null);
    const { error } = await put({ id, numbers: numbers.map(wireOf) });
    if (error) setFailure(problemOf(error).message);
    else notify.success(text.done);
  };
  return (
    <Formik
      validateOnBlur={false}
      initialValues={initialValues}
      validationSchema={schema}
      onSubmit={submit}
    >
      {({ values, isSubmitting }) => (
        <Form className="card-surface grid gap-5 p-4 sm:p-8">
          <FieldArray name="numbers">
            {({ push, remove }) => (
              <>
                {values.numbers.length === 0 && <p className="text-muted">{text.none}</p>}
                <ul className="grid gap-4 empty:hidden">
                  {values.numbers.map((_number, place) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: Formik names a row by its place.
                    <NumberRow key={place} place={place} onRemove={() => remove(place)} />
                  ))}
                </ul>
                <Button
                  variant="outline"
                  className="justify-self-start"
                  onClick={() => push(blank)}
                >
                  {text.add}
                </Button>
              </>
            )}
          </FieldArray>
          {failure && <Alert tone="error">{failure}</Alert>}
          <Button type="submit" busy={isSubmitting} className="justify-self-start">
            {text.save}
          </Button>
        </Form>
      )}
    </Formik>
  );
}

/** The numbers by which buyers know a part, saved by themselves. */
export function NumbersForm({ id }: { id: string }) {
  const { data, error, isError, isFetching, refetch } = useGetNumbersQuery(id, {
    refetchOnMountOrArgChange: true,
  });
  // What the form begins with is never an answer from before.
  const [known, setKnown] = useState<readonly PartNumber[]>();
  if (!known && data && !isFetching) setKnown(data);
  return (
    <section aria-labelledby="numbers" className="mt-8">
      <h2 id="numbers" className="mb-2 text-3xl">
        {text.heading}
      </h2>
      <p className="mb-4 text-muted">{text.hint}</p>
      {known && <NumbersOf id={id} known={known} />}
      {!known &&
        (isError && !isFetching ? (
          <ErrorState title={text.failed} error={error} onRetry={refetch} />
        ) : (
          <div role="status" aria-label={text.loading}>
            <Skeleton className="h-40" />
          </div>
        ))}
    </section>
  );
}
