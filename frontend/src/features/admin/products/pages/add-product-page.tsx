import { Formik, type FormikHelpers } from 'formik';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useUser } from '@/features/accounts/session/use-session';
import { type FieldName, fields, formRows } from '@/features/catalog/attributes';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { paths } from '@/lib/paths';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Form } from '@/ui/form';
import { KeepDraft, useFormDraft } from '@/ui/form-draft';
import { PersistentAlert } from '@/ui/persistent-alert';
import { takeRefusal } from '@/ui/refusal';
import { useAddProductMutation } from '../api';
import { DetailFields } from '../components/detail-fields';
import { ImageField } from '../components/image-field';
import { ProductFields } from '../components/product-fields';
import { blankDetails, changedDetails, type DetailValues, splitDetails } from '../details';
import { messages } from '../messages';
import { productSchema } from '../schema';
import { takeUploadRefusal, useUpload } from '../use-upload';

const { addPage: text } = messages;

/** Number inputs hold a number or, while there is none in them, an empty text. */
type ProductValues = Record<FieldName, string | number> & DetailValues & { image: File | null };

const blank = {
  ...Object.fromEntries(
    fields.map(({ name, input }) => [name, ('initial' in input && input.initial) || '']),
  ),
  ...blankDetails,
  image: null,
} as ProductValues;

const fieldOf = (wireName: string) => (wireName === 'img' ? 'image' : wireName);

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
    const { details, rest } = splitDetails(productSchema.cast(typed));
    const { image, partNumber, ...facts } = rest;
    const picture = await upload(image);
    if ('error' in picture) {
      setFailure(takeUploadRefusal(picture.error, helpers.setErrors));
      return;
    }
    const product = {
      ...facts,
      ...(partNumber ? { partNumber } : {}),
      img: picture.url,
      ...changedDetails(blankDetails, details),
    };
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
            <ProductFields rows={formRows} />
            <DetailFields />
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
