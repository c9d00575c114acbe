import { FieldArray, Formik, type FormikHelpers, useFormikContext } from 'formik';
import { useState } from 'react';
import FindPart from '@/features/catalog/components/find-part';
import { moneyInput } from '@/lib/money';
import { Alert } from '@/ui/alert';
import { Answered } from '@/ui/answered';
import { Button } from '@/ui/button';
import { Form, TextField } from '@/ui/form';
import { notify } from '@/ui/notify';
import { RowAction } from '@/ui/row-action';
import { takeRowRefusal } from '../../shared/row-refusal';
import { useGetListPricesQuery, useSetListPricesMutation } from '../api';
import { messages } from '../messages';
import { type PriceRow, pricesSchema } from '../schema';
import type { ListPrice, PriceList } from '../wire';
import { PartName } from './part-name';

const { list: text, tiers } = messages;

/** How many rows are drawn before the rest is asked for. */
const SHOWN = 50;

interface Values {
  items: PriceRow[];
}

const rowOf = ({ productId, name = '', partNumber, from, price }: ListPrice): PriceRow => ({
  productId,
  name,
  partNumber: partNumber ?? '',
  from: String(from),
  price: moneyInput(price),
});

function Row({ place, onRemove }: { place: number; onRemove: () => void }) {
  const { values } = useFormikContext<Values>();
  const row = values.items[place];
  if (!row) return null;
  const part = row.name || row.productId;
  return (
    <li className="grid grid-cols-2 items-start gap-3 border-b border-base-300 pb-3 lg:grid-cols-4">
      <div className="col-span-full lg:col-span-1">
        <PartName productId={row.productId} name={row.name} partNumber={row.partNumber} />
      </div>
      <TextField
        name={`items.${place}.from`}
        label={tiers.from}
        aria-label={text.from(part, place + 1)}
        inputMode="numeric"
        autoComplete="off"
        required
      />
      <TextField
        name={`items.${place}.price`}
        label={tiers.price}
        aria-label={text.price(part, place + 1)}
        inputMode="decimal"
        autoComplete="off"
        required
      />
      <RowAction>
        <Button variant="ghost" onClick={onRemove}>
          {tiers.remove}{' '}
          <span className="sr-only">
            {part}, {tiers.row(place + 1)}
          </span>
        </Button>
      </RowAction>
    </li>
  );
}

/** The rows, and what adds to them: the next one of a part that has some already begins empty. */
function Rows() {
  const { values } = useFormikContext<Values>();
  const [shown, setShown] = useState(SHOWN);
  const left = values.items.length - shown;
  return (
    <FieldArray name="items">
      {({ push, remove }) => (
        <>
          {values.items.length === 0 && <p className="text-muted">{text.noPrices}</p>}
          <ul aria-label={text.prices} className="grid gap-4 empty:hidden">
            {values.items.slice(0, shown).map((_row, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: Formik names a row by its place.
              <Row key={place} place={place} onRemove={() => remove(place)} />
            ))}
          </ul>
          {left > 0 && (
            <Button
              variant="outline"
              className="justify-self-start"
              onClick={() => setShown(shown + SHOWN)}
            >
              {text.more(left)}
            </Button>
          )}
          <FindPart
            label={text.find}
            placeholder={text.findHint}
            onChoose={({ _id: productId, name, partNumber, minOrder }) => {
              const isFirst = values.items.every((row) => row.productId !== productId);
              push({
                productId,
                name,
                partNumber: partNumber ?? '',
                from: isFirst ? String(minOrder) : '',
                price: '',
              });
              setShown(Math.max(shown, values.items.length + 1));
            }}
          />
        </>
      )}
    </FieldArray>
  );
}

function PricesOf({ id, known }: { id: PriceList['_id']; known: readonly ListPrice[] }) {
  const [put] = useSetListPricesMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const [initialValues] = useState<Values>(() => ({ items: known.map(rowOf) }));
  const submit = async (typed: Values, helpers: FormikHelpers<Values>) => {
    setFailure(null);
    const items = typed.items.map(({ productId, from, price }) => ({
      productId,
      from: Number(from),
      price: Number(price),
    }));
    const { error } = await put({ id, items });
    if (error) {
      setFailure(takeRowRefusal(error, typed, helpers));
      return;
    }
    helpers.resetForm({ values: typed });
    notify.success(text.pricesSaved);
  };
  return (
    <Formik
      validateOnBlur={false}
      initialValues={initialValues}
      validationSchema={pricesSchema}
      onSubmit={submit}
    >
      {({ dirty, isSubmitting }) => (
        <Form className="card-surface grid grid-cols-[minmax(0,1fr)] gap-5 p-4 sm:p-8">
          <Rows />
          {failure && <Alert tone="error">{failure}</Alert>}
          <div className="flex flex-wrap items-center gap-4">
            <Button type="submit" busy={isSubmitting}>
              {text.savePrices}
            </Button>
            {dirty && (
              <p role="status" className="text-warning">
                {text.unsaved}
              </p>
            )}
          </div>
        </Form>
      )}
    </Formik>
  );
}

/** The prices that a list names; saved all at once. */
export function ListPrices({ id }: { id: PriceList['_id'] }) {
  const answer = useGetListPricesQuery(id, { refetchOnMountOrArgChange: true });
  // What the form begins with is never an answer from before, nor one that comes while it is filled in.
  const [known, setKnown] = useState<readonly ListPrice[]>();
  if (!known && answer.data && !answer.isFetching) setKnown(answer.data.items);
  return (
    <section aria-labelledby="list-prices" className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <h3 id="list-prices" className="text-2xl">
        {text.prices}
      </h3>
      <p className="text-muted">{text.pricesHint}</p>
      <Answered
        answer={{ ...answer, data: known }}
        loading={text.pricesLoading}
        failed={text.pricesFailed}
      >
        {(items) => <PricesOf id={id} known={items} />}
      </Answered>
    </section>
  );
}
