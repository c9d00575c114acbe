import { Formik, type FormikHelpers } from 'formik';
import { useState } from 'react';
import type { Part } from '@/api/parts';
import { problemOf } from '@/api/problem';
import { editRows } from '@/features/catalog/attributes';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Form } from '@/ui/form';
import { takeRefusal } from '@/ui/refusal';
import { useEditProductMutation } from '../api';
import { changedDetails, detailsBetween, detailsOf, seenDetails, splitDetails } from '../details';
import { changedBetween, changesInWords, type EditValues, editOf, valuesOf } from '../edits';
import { messages } from '../messages';
import { editSchema } from '../schema';
import { takeUploadRefusal, useUpload } from '../use-upload';
import { DetailFields } from './detail-fields';
import { ImageField } from './image-field';
import { ProductFields } from './product-fields';

const { edit: text } = messages;

const fieldOf = (wireName: string) => (wireName === 'img' ? 'image' : wireName);

/** What stopped the form: a sentence, or what somebody else changed meanwhile. */
type Stopped = string | readonly string[] | null;

function Stop({ why }: { why: Stopped }) {
  if (why === null) return null;
  return (
    <Alert tone="error">
      {typeof why === 'string' ? (
        <p>{why}</p>
      ) : (
        <>
          <p className="font-semibold">{text.conflict}</p>
          <ul className="my-2">
            {why.map((each) => (
              <li key={each}>{each}</li>
            ))}
          </ul>
          <p className="text-muted">{text.conflictHint}</p>
        </>
      )}
    </Alert>
  );
}

interface EditFormProps {
  product: Part;
  /** Reads the product again. */
  reload: () => Promise<Part | undefined>;
  onSaved: () => void;
  onCancel: () => void;
}

export function EditForm({ product, reload, onSaved, onCancel }: EditFormProps) {
  const keys = useIdempotencyKeys();
  const { upload, progress } = useUpload();
  const [editProduct] = useEditProductMutation();
  // What the admin decides by, whatever another one saves meanwhile.
  const [seen, setSeen] = useState(product);
  // But for the first picture, which may be changed beside this form.
  const [img, setImg] = useState(product.img);
  if (img !== product.img) {
    setImg(product.img);
    setSeen({ ...seen, img: product.img });
  }
  const [initialValues] = useState(() => valuesOf(product));
  const [stopped, setStopped] = useState<Stopped>(null);

  /** Takes over what somebody else saved, but for the fields that were changed here as well. */
  const takeOver = async (typed: EditValues, helpers: FormikHelpers<EditValues>) => {
    const now = await reload();
    if (!now) return false;
    const [before, after] = [valuesOf(seen), valuesOf(now)];
    for (const name of changedBetween(seen, now)) {
      if (typed[name] === before[name]) void helpers.setFieldValue(name, after[name]);
    }
    const kept = detailsBetween(before, typed);
    for (const name of detailsBetween(before, after)) {
      if (!kept.includes(name)) void helpers.setFieldValue(name, after[name]);
    }
    setSeen(now);
    setStopped(changesInWords(seen, now));
    return true;
  };

  const submit = async (typed: EditValues, helpers: FormikHelpers<EditValues>) => {
    setStopped(null);
    const { details, rest } = splitDetails(editSchema.cast(typed));
    const { image, partNumber, ...facts } = rest;
    const picture = image ? await upload(image) : { url: seen.img };
    if ('error' in picture) {
      setStopped(takeUploadRefusal(picture.error, helpers.setErrors));
      return;
    }
    const before = detailsOf(seen);
    const own = editOf(seen, { ...facts, partNumber: partNumber || null, img: picture.url });
    if (own || detailsBetween(before, details).length > 0) {
      const edit = {
        ...own,
        ...changedDetails(before, details),
        seen: { ...own?.seen, ...seenDetails(before, details) },
      };
      const request = { id: seen._id, editedProduct: edit };
      const answer = await editProduct({ ...request, 'Idempotency-Key': keys.keyFor(request) });
      if (answer.error) {
        const refusal = takeRefusal(answer.error, typed, helpers, keys, fieldOf);
        const stale = problemOf(answer.error).slug === 'product-changed';
        if (!(stale && (await takeOver(typed, helpers)))) setStopped(refusal);
        return;
      }
      keys.finish();
    }
    onSaved();
  };

  return (
    <Formik
      validateOnBlur={false}
      initialValues={initialValues}
      validationSchema={editSchema}
      onSubmit={submit}
    >
      {({ isSubmitting }) => (
        <Form className="card-surface grid gap-6 p-4 sm:p-8">
          <ProductFields rows={editRows} />
          <DetailFields />
          <ImageField progress={progress} current={seen.img} />
          <Stop why={stopped} />
          <div className="flex flex-wrap gap-3">
            <Button type="submit" busy={isSubmitting}>
              {text.save}
            </Button>
            <Button variant="outline" onClick={onCancel} disabled={isSubmitting}>
              {messages.cancel}
            </Button>
          </div>
        </Form>
      )}
    </Formik>
  );
}
