import { Formik, type FormikHelpers } from 'formik';
import { useState } from 'react';
import type { CorrectionReason, Product, StockEvent } from '@/api/types';
import { formatTime } from '@/lib/dates';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { formatMoney } from '@/lib/money';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Dialog } from '@/ui/dialog';
import { DialogActions } from '@/ui/dialog-actions';
import { DialogButton } from '@/ui/dialog-button';
import { Form, SelectField, TextField } from '@/ui/form';
import { notify } from '@/ui/notify';
import { takeRefusal } from '@/ui/refusal';
import { useCorrectStockMutation, useGetStockHistoryQuery } from '../api';
import { messages } from '../messages';
import { correctionReasons, correctionSchema } from '../schema';

const { correct: text } = messages;

interface CorrectionValues {
  counted: number | '';
  reason: CorrectionReason;
  note: string;
}

const fields: Record<string, string> = { delta: 'counted' };

/** What happened, in one line. */
function sentence(event: StockEvent): string {
  const units = event.units ?? 0;
  if (event.what === 'archived') return text.archived;
  if (event.what === 'corrected') return text.corrected(units, event.reason, event.note);
  const price = event.price === undefined ? null : formatMoney(event.price);
  return units > 0 ? text.restocked(units, price) : text.priced(price);
}

function History({ id }: { id: string }) {
  const { data } = useGetStockHistoryQuery(id, { refetchOnMountOrArgChange: true });
  if (!data || data.length === 0) return null;
  return (
    <section aria-label={text.history}>
      <h3 className="text-sm font-semibold">{text.latest}</h3>
      <ul className="mt-2 grid gap-2 text-sm">
        {data.slice(0, 8).map((event) => (
          <li key={event.when}>
            {sentence(event)}
            <span className="block text-muted wrap-anywhere">
              <time dateTime={event.when}>{formatTime(event.when)}</time>
              {event.who && `, ${event.who}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function CorrectDialog({ product, onClose }: { product: Product; onClose: () => void }) {
  const keys = useIdempotencyKeys();
  const [correct] = useCorrectStockMutation();
  const [failure, setFailure] = useState<string | null>(null);
  const [believed] = useState(product.availableQty);
  const [initialValues] = useState<CorrectionValues>({
    counted: product.availableQty,
    reason: 'miscount',
    note: '',
  });

  const submit = async (typed: CorrectionValues, helpers: FormikHelpers<CorrectionValues>) => {
    setFailure(null);
    const { counted, reason, note } = correctionSchema.cast(typed);
    const request = { delta: counted - believed, reason, ...(note ? { note } : {}) };
    if (request.delta === 0) {
      helpers.setErrors({ counted: text.unchanged });
      return;
    }
    const answer = await correct({
      id: product._id,
      newStockCorrection: request,
      'Idempotency-Key': keys.keyFor(request),
    });
    if (answer.error) {
      setFailure(takeRefusal(answer.error, typed, helpers, keys, (name) => fields[name] ?? name));
      return;
    }
    keys.finish();
    onClose();
    notify.success(text.done);
  };

  return (
    <Formik
      validateOnBlur={false}
      initialValues={initialValues}
      validationSchema={correctionSchema}
      onSubmit={submit}
    >
      {({ isSubmitting }) => (
        <Dialog open title={text.title} onClose={onClose} locked={isSubmitting}>
          <Form className="grid gap-5">
            <p className="-mt-3 text-muted">{product.name}</p>
            <div className="grid items-start gap-5 xs:grid-cols-2">
              <TextField
                name="counted"
                label={text.counted}
                type="number"
                inputMode="numeric"
                min={0}
                step={1}
                hint={text.countedHint(believed)}
                required
              />
              <SelectField name="reason" label={text.reason} options={correctionReasons} />
            </div>
            <TextField name="note" label={text.note} maxLength={200} hint={text.noteHint} />
            {failure && <Alert tone="error">{failure}</Alert>}
            <History id={product._id} />
            <DialogActions>
              <Button variant="outline" onClick={onClose} disabled={isSubmitting}>
                {messages.cancel}
              </Button>
              <Button type="submit" busy={isSubmitting}>
                {text.submit}
              </Button>
            </DialogActions>
          </Form>
        </Dialog>
      )}
    </Formik>
  );
}

/** The button, and its dialog: what was counted replaces what the shop believes, with a reason. */
export function CorrectStock({ product }: { product: Product }) {
  return (
    <DialogButton label={text.button} context={text.stockOf(product.name)} variant="ghost">
      {(close) => <CorrectDialog product={product} onClose={close} />}
    </DialogButton>
  );
}
