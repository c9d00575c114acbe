import { FieldArray, Formik, type FormikHelpers, useFormikContext } from 'formik';
import { useState } from 'react';
import type { Product } from '@/api/types';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { moneyInput } from '@/lib/money';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Form, TextField } from '@/ui/form';
import { notify } from '@/ui/notify';
import { RowAction } from '@/ui/row-action';
import { takeRowRefusal } from '../../shared/row-refusal';
import { useSetTiersMutation } from '../api';
import { messages } from '../messages';
import { MOST_TIERS, type TierRow, tiersSchema } from '../schema';

const { tiers: text } = messages;

interface Values {
  tiers: TierRow[];
}

/** Whether a row costs more than the one before it, which no buyer would pay. */
function isDearer(rows: readonly TierRow[], place: number, base: number): boolean {
  const before = place === 0 ? base : Number(rows[place - 1]?.price);
  const own = Number(rows[place]?.price);
  return own > 0 && before > 0 && own > before;
}

function Row({ place, base, onRemove }: { place: number; base: number; onRemove: () => void }) {
  const { values } = useFormikContext<Values>();
  return (
    <li className="grid grid-cols-2 items-start gap-3 border-b border-base-300 pb-3 sm:grid-cols-3">
      <TextField
        name={`tiers.${place}.from`}
        label={text.fromOf(place + 1)}
        inputMode="numeric"
        autoComplete="off"
        required
      />
      <TextField
        name={`tiers.${place}.price`}
        label={text.priceOf(place + 1)}
        hint={isDearer(values.tiers, place, base) && text.dearer}
        inputMode="decimal"
        autoComplete="off"
        required
      />
      <RowAction>
        <Button variant="ghost" onClick={onRemove}>
          {text.remove} <span className="sr-only">{text.row(place + 1)}</span>
        </Button>
      </RowAction>
    </li>
  );
}

/** What a unit of a product costs from how many on, beyond its price; saved by themselves. */
export function TiersForm({ product }: { product: Product }) {
  const { _id: id, minOrder, price } = product;
  const keys = useIdempotencyKeys();
  const [setTiers] = useSetTiersMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const [schema] = useState(() => tiersSchema(minOrder));
  const [initialValues] = useState<Values>(() => ({
    tiers: (product.tiers ?? [])
      .filter(({ from }) => from > minOrder)
      .map((tier) => ({ from: String(tier.from), price: moneyInput(tier.price) })),
  }));

  const submit = async (typed: Values, helpers: FormikHelpers<Values>) => {
    setFailure(null);
    const tiers = typed.tiers.map((row) => ({ from: Number(row.from), price: Number(row.price) }));
    const { error } = await setTiers({ id, tiers, 'Idempotency-Key': keys.keyFor(tiers) });
    if (error) {
      setFailure(takeRowRefusal(error, typed, helpers, keys));
      return;
    }
    keys.finish();
    notify.success(text.done);
  };

  return (
    <section aria-labelledby="tiers" className="mt-8">
      <h2 id="tiers" className="mb-2 text-3xl">
        {text.heading}
      </h2>
      <p className="mb-4 text-muted">{text.hint}</p>
      <Formik
        validateOnBlur={false}
        initialValues={initialValues}
        validationSchema={schema}
        onSubmit={submit}
      >
        {({ values, isSubmitting }) => (
          <Form className="card-surface grid gap-5 p-4 sm:p-8">
            <p>{text.base(minOrder, price)}</p>
            <FieldArray name="tiers">
              {({ push, remove }) => (
                <>
                  {values.tiers.length === 0 && <p className="text-muted">{text.none}</p>}
                  <ul className="grid gap-4 empty:hidden">
                    {values.tiers.map((_row, place) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: Formik names a row by its place.
                      <Row key={place} place={place} base={price} onRemove={() => remove(place)} />
                    ))}
                  </ul>
                  <Button
                    variant="outline"
                    className="justify-self-start"
                    disabled={values.tiers.length >= MOST_TIERS}
                    onClick={() => push({ from: '', price: '' })}
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
    </section>
  );
}
