import { FieldArray, Formik, type FormikHelpers, useFormikContext } from 'formik';
import { useEffect, useRef, useState } from 'react';
import { array, number, object, string } from 'yup';
import { problemOf } from '@/api/problem';
import { paths } from '@/lib/paths';
import { Alert } from '@/ui/alert';
import { Button, ButtonLink } from '@/ui/button';
import { Form, TextField } from '@/ui/form';
import { notify } from '@/ui/notify';
import { RowAction } from '@/ui/row-action';
import { useEditListMutation } from '../api';
import { messages } from '../messages';
import { useOrderList } from '../use-order-list';
import type { SavedList } from '../wire';
import { FindPart } from './lazy-forms';

const { one: text } = messages;

/** As many parts as an order takes. */
const MOST = 1_000;
const MOST_UNITS = 1_000_000_000;

interface Row {
  productId: string;
  name: string;
  partNumber: string;
  quantity: string;
}

interface Values {
  name: string;
  lines: Row[];
}

const schema = object({
  name: string().trim().required(messages.nameRequired).max(80, messages.nameLong),
  lines: array().of(
    object({
      quantity: number()
        .typeError(text.quantityWrong)
        .required(text.quantityWrong)
        .integer(text.quantityWrong)
        .min(1, text.quantityWrong)
        .max(MOST_UNITS, text.quantityMost),
    }),
  ),
});

function Line({ place, onRemove }: { place: number; onRemove: () => void }) {
  const { values } = useFormikContext<Values>();
  const row = values.lines[place];
  if (!row) return null;
  return (
    <li className="grid grid-cols-2 items-start gap-3 border-b border-base-300 pb-3 lg:grid-cols-3">
      <div className="col-span-full lg:col-span-1">
        <p className="font-semibold wrap-anywhere">{row.name}</p>
        {row.partNumber && <p className="text-sm text-muted">{row.partNumber}</p>}
      </div>
      <TextField
        name={`lines.${place}.quantity`}
        label={text.quantityLabel}
        aria-label={text.quantity(row.name)}
        inputMode="numeric"
        autoComplete="off"
        required
      />
      <RowAction>
        <Button variant="ghost" onClick={onRemove}>
          {text.remove} <span className="sr-only">{row.name}</span>
        </Button>
      </RowAction>
    </li>
  );
}

function Lines() {
  const { values } = useFormikContext<Values>();
  return (
    <FieldArray name="lines">
      {({ push, remove }) => (
        <>
          {values.lines.length === 0 && <p className="text-muted">{text.noParts}</p>}
          <ul aria-label={text.parts} className="grid gap-4 empty:hidden">
            {values.lines.map(({ productId }, place) => (
              <Line key={productId} place={place} onRemove={() => remove(place)} />
            ))}
          </ul>
          {values.lines.length >= MOST ? (
            <p className="text-muted">{text.full(MOST)}</p>
          ) : (
            <FindPart
              label={text.find}
              placeholder={text.findHint}
              onChoose={({ _id: productId, name, partNumber, minOrder }) => {
                if (values.lines.some((row) => row.productId === productId)) {
                  notify.info(text.twice(name));
                  return;
                }
                const quantity = String(minOrder);
                push({ productId, name, partNumber: partNumber ?? '', quantity });
              }}
            />
          )}
        </>
      )}
    </FieldArray>
  );
}

/** A list to be renamed, changed, and ordered. */
export default function ListEditor({ list }: { list: SavedList }) {
  const { _id: id } = list;
  const [edit] = useEditListMutation();
  const { order, checking } = useOrderList();
  const [failure, setFailure] = useState<string | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const [initialValues] = useState<Values>(() => ({
    name: list.name,
    lines: list.lines.map(({ productId, name, partNumber, quantity }) => ({
      productId,
      name,
      partNumber: partNumber ?? '',
      quantity: String(quantity),
    })),
  }));

  const submit = async (typed: Values, helpers: FormikHelpers<Values>) => {
    setFailure(null);
    const { error } = await edit({
      id,
      name: typed.name.trim(),
      lines: typed.lines.map(({ productId, quantity }) => ({
        productId,
        quantity: Number(quantity),
      })),
    });
    if (error) {
      const problem = problemOf(error);
      const { name } = problem.errors;
      if (name) helpers.setErrors({ name });
      setFailure(Object.values(problem.errors)[0] ?? problem.message);
      return;
    }
    helpers.resetForm({ values: typed });
    notify.success(text.saved);
  };

  return (
    <Formik
      validateOnBlur={false}
      initialValues={initialValues}
      validationSchema={schema}
      onSubmit={submit}
    >
      {({ values, dirty, isSubmitting }) => (
        <section aria-labelledby="open-list" className="grid grid-cols-[minmax(0,1fr)] gap-5">
          <div className="flex flex-wrap items-center justify-between gap-4">
            <h2
              id="open-list"
              ref={heading}
              tabIndex={-1}
              className="text-3xl normal-case wrap-anywhere focus-visible:outline-none"
            >
              {list.name}
            </h2>
            <Button
              data-commands
              busy={checking !== undefined}
              disabled={dirty || values.lines.length === 0}
              aria-describedby={dirty ? 'save-first' : undefined}
              onClick={() => void order(id)}
            >
              {messages.check}
            </Button>
          </div>
          <Form className="card-surface grid grid-cols-[minmax(0,1fr)] gap-5 p-4 sm:p-8">
            <TextField name="name" label={text.name} autoComplete="off" maxLength={80} required />
            <Lines />
            {failure && <Alert tone="error">{failure}</Alert>}
            <div className="flex flex-wrap items-center gap-4">
              <Button type="submit" busy={isSubmitting}>
                {text.save}
              </Button>
              {dirty && (
                <p id="save-first" role="status" className="text-warning">
                  {text.saveFirst}
                </p>
              )}
            </div>
          </Form>
          <ButtonLink
            variant="outline"
            className="justify-self-start"
            to={`${paths.dashboard}/lists`}
          >
            {text.back}
          </ButtonLink>
        </section>
      )}
    </Formik>
  );
}
