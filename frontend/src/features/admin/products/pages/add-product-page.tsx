import { Formik, type FormikHelpers } from 'formik';
import { useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { clearToken } from '@/api/access-token';
import { sessionLost } from '@/api/session-state';
import { useSessionDispatch, useUser } from '@/features/accounts/session/use-session';
import {
  type AttributeField,
  attributes,
  type FieldName,
  fields,
  formRows,
} from '@/features/catalog/attributes';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { paths } from '@/lib/paths';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { cx } from '@/ui/cx';
import { Form, SelectField, TextAreaField, TextField } from '@/ui/form';
import { KeepDraft, useFormDraft } from '@/ui/form-draft';
import { PersistentAlert } from '@/ui/persistent-alert';
import { takeRefusal } from '@/ui/refusal';
import { useAddProductMutation } from '../api';
import { ImageField } from '../components/image-field';
import { messages } from '../messages';
import { productSchema } from '../schema';
import { uploadImage } from '../upload';

const { addPage: text } = messages;

/** The wire's own words, the five of the spec first. */
const categoryOptions = [
  { value: '', label: text.chooseCategory },
  ...[
    'BRAKES',
    'REPLACEMENT PARTS',
    'SAFETY ACCESSORIES',
    'TIRES',
    'STEERING WHEEL',
    'SERVICE KITS',
    'BATTERIES',
    'OILS AND FLUIDS',
  ].map((value) => ({ value, label: value })),
];

/** Number inputs hold a number or, while there is none in them, an empty text. */
type ProductValues = Record<FieldName, string | number> & { image: File | null };

const blank = {
  ...Object.fromEntries(
    fields.map(({ name, input }) => [name, ('initial' in input && input.initial) || '']),
  ),
  image: null,
} as ProductValues;

/** Too large, no picture, none at all: what another picture would mend. */
const aboutThePicture = new Set([413, 415, 422]);

const fieldOf = (wireName: string) => (wireName === 'img' ? 'image' : wireName);

/** Uploads a picture once, however often the form is sent until the product is in. */
function useUpload() {
  const user = useUser();
  const dispatch = useSessionDispatch();
  const uploaded = useRef<{ file: File; url: string } | null>(null);
  const [progress, setProgress] = useState<number | null>(null);

  const upload = async (file: File) => {
    if (uploaded.current?.file === file) return { url: uploaded.current.url };
    setProgress(0);
    const answer = await uploadImage(file, user?.email ?? '', setProgress);
    setProgress(null);
    if ('url' in answer) {
      uploaded.current = { file, url: answer.url };
    } else if (answer.lost) {
      clearToken();
      dispatch(sessionLost());
    }
    return answer;
  };
  return { upload, progress };
}

/** The input of one attribute. */
function AttributeInput({ name }: { name: FieldName }) {
  const { label, hint, input }: AttributeField = attributes[name];
  const common = { name, label, hint };
  switch (input.kind) {
    case 'category':
      return <SelectField {...common} options={categoryOptions} required />;
    case 'text':
      return <TextField {...common} autoComplete="off" required={!input.optional} />;
    case 'lines':
      return <TextAreaField {...common} rows={4} required />;
    case 'units':
      return <TextField {...common} type="number" inputMode="numeric" min={0} step={1} required />;
    case 'price':
      return (
        <TextField {...common} type="number" inputMode="decimal" min={0.01} step={0.01} required />
      );
  }
}

const rowClasses = ['', '', 'sm:grid-cols-2', 'sm:grid-cols-3'];

function ProductFields() {
  return formRows.map((row) => (
    <div key={row[0]} className={cx('grid items-start gap-5', rowClasses[row.length])}>
      {row.map((name) => (
        <AttributeInput key={name} name={name} />
      ))}
    </div>
  ));
}

export default function AddProductPage() {
  const keys = useIdempotencyKeys();
  const { upload, progress } = useUpload();
  const [addProduct] = useAddProductMutation();
  const owner = useUser()?.email ?? '';
  const draft = useFormDraft('product', owner, blank);
  const [restored, setRestored] = useState(draft !== null);
  const [added, setAdded] = useState<{ id: string; name: string } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  const submit = async (typed: ProductValues, helpers: FormikHelpers<ProductValues>) => {
    setAdded(null);
    setFailure(null);
    const { image, partNumber, ...facts } = productSchema.cast(typed);
    const picture = await upload(image);
    if ('error' in picture) {
      const { status, message } = picture.error;
      if (aboutThePicture.has(status)) {
        helpers.setErrors({ image: message });
        setFailure(text.uploadFailed);
      } else {
        setFailure(message);
      }
      return;
    }
    const product = { ...facts, ...(partNumber ? { partNumber } : {}), img: picture.url };
    const answer = await addProduct({
      newProduct: product,
      'Idempotency-Key': keys.keyFor(product),
    });
    if (!answer.data?.insertedId) {
      setFailure(takeRefusal(answer.error, typed, helpers, keys, fieldOf));
      return;
    }
    keys.finish();
    helpers.resetForm({ values: blank });
    setRestored(false);
    setAdded({ id: answer.data.insertedId, name: product.name });
  };

  return (
    <>
      <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">{text.heading}</h1>
      {added && (
        <PersistentAlert tone="success" onDismiss={() => setAdded(null)}>
          <p className="font-semibold">{text.done}</p>
          <Link className="link-accent" to={paths.product(added.id)}>
            {text.view(added.name)}
          </Link>
        </PersistentAlert>
      )}
      <Formik
        validateOnBlur={false}
        initialValues={draft ?? blank}
        validationSchema={productSchema}
        onSubmit={submit}
      >
        {({ isSubmitting }) => (
          <Form className="card-surface grid gap-6 p-4 sm:p-8">
            <KeepDraft name="product" owner={owner} blank={blank} />
            {restored && <Alert tone="info">{text.restored}</Alert>}
            <ProductFields />
            <ImageField progress={progress} />
            {failure && (
              <Alert tone="error">
                <p>{failure}</p>
                <p className="text-muted">{text.notAdded}</p>
              </Alert>
            )}
            <Button type="submit" busy={isSubmitting} className="justify-self-start">
              {text.submit}
            </Button>
          </Form>
        )}
      </Formik>
    </>
  );
}
