import { Formik, type FormikHelpers } from 'formik';
import { Suspense, useState } from 'react';
import { Link } from 'react-router-dom';
import { useRole, useUser } from '@/features/accounts/session/use-session';
import { useIdempotencyKeys } from '@/lib/idempotency-key';
import { formatCount } from '@/lib/money';
import { paths } from '@/lib/paths';
import { retryingLazy } from '@/lib/retrying-lazy';
import { Alert } from '@/ui/alert';
import { Button } from '@/ui/button';
import { Form, TextAreaField, TextField } from '@/ui/form';
import { KeepDraft, useFormDraft } from '@/ui/form-draft';
import { PersistentAlert } from '@/ui/persistent-alert';
import { takeRefusal } from '@/ui/refusal';
import { useAddReviewMutation } from '../api';
import { PartField, usePartOfLink } from '../components/part-field';
import { RatingField } from '../components/rating-field';
import { messages } from '../messages';
import { DETAILS_MAX, reviewSchema } from '../schema';

interface ReviewValues {
  name: string;
  rating: number | null;
  details: string;
  productId: string;
}

/* Only admins ever load it. */
const ReviewList = retryingLazy(
  () => import(/* webpackChunkName: "admin-reviews" */ '../components/review-list'),
);

const blank: ReviewValues = { name: '', rating: null, details: '', productId: '' };

export default function AddReviewPage() {
  const keys = useIdempotencyKeys();
  const [addReview] = useAddReviewMutation();
  const [added, setAdded] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const role = useRole();
  const user = useUser();
  const owner = user?.email ?? '';
  const linked = usePartOfLink();
  const part = { productId: linked?.id ?? '' };
  // What an untouched form holds: the account's name, until a review was sent and the form is cleared (spec).
  const [untouched, setUntouched] = useState(() => ({
    ...blank,
    ...part,
    name: user?.displayName ?? '',
  }));
  const draft = useFormDraft('review', owner, untouched);

  const submit = async (values: ReviewValues, helpers: FormikHelpers<ReviewValues>) => {
    setAdded(false);
    setFailure(null);
    const review = {
      name: values.name.trim(),
      rating: values.rating ?? 0,
      details: values.details.trim(),
      ...(values.productId ? { productId: values.productId } : {}),
    };
    const answer = await addReview({ newReview: review, 'Idempotency-Key': keys.keyFor(review) });
    if (!answer.data?.insertedId) {
      setFailure(takeRefusal(answer.error, values, helpers, keys));
      return;
    }
    keys.finish();
    setUntouched(blank);
    helpers.resetForm({ values: blank });
    setAdded(true);
  };

  return (
    <>
      <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">{messages.title}</h1>
      {added && (
        <PersistentAlert tone="success" onDismiss={() => setAdded(false)}>
          <p className="font-semibold">{messages.added}</p>
          <p className="text-muted">
            {messages.seeBefore}
            <Link className="link-accent" to={paths.home}>
              {messages.seeLink}
            </Link>
            .
          </p>
        </PersistentAlert>
      )}
      <Formik
        validateOnBlur={false}
        initialValues={{ ...(draft ?? untouched), ...(linked ? part : {}) }}
        validationSchema={reviewSchema}
        onSubmit={submit}
      >
        {({ values, isSubmitting }) => (
          <Form className="card-surface grid max-w-2xl gap-6 p-4 sm:p-8">
            <KeepDraft name="review" owner={owner} blank={untouched} />
            <p className="text-muted">{messages.intro}</p>
            <TextField
              name="name"
              label={messages.name}
              autoComplete="name"
              hint={messages.nameHint}
              required
            />
            {user && <PartField name="productId" user={user} linked={linked} />}
            <RatingField name="rating" label={messages.rating} />
            <TextAreaField
              name="details"
              label={messages.details}
              rows={6}
              hint={messages.detailsHint(
                formatCount(values.details.trim().length),
                formatCount(DETAILS_MAX),
              )}
              required
            />
            {failure && <Alert tone="error">{failure}</Alert>}
            <Button type="submit" busy={isSubmitting} className="justify-self-start">
              {messages.action}
            </Button>
          </Form>
        )}
      </Formik>
      {role.state === 'admin' && (
        <Suspense fallback={null}>
          <ReviewList />
        </Suspense>
      )}
    </>
  );
}
