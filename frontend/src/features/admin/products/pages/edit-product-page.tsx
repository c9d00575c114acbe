import { useState } from 'react';
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom';
import { hasStatus } from '@/api/problem';
import type { Product } from '@/api/types';
import { auditPath } from '@/features/admin/audit/address';
import { FitmentsForm } from '@/features/admin/fitment/components/fitments-form';
import { TiersForm } from '@/features/admin/prices/components/tiers-form';
import { useGetProductQuery } from '@/features/catalog/api';
import { paths } from '@/lib/paths';
import { usePageTitle } from '@/lib/use-page-title';
import { ButtonLink } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { notify } from '@/ui/notify';
import { Skeleton } from '@/ui/skeleton';
import { EditForm } from '../components/edit-form';
import { NumbersForm } from '../components/numbers-form';
import { PicturesForm } from '../components/pictures-form';
import { messages } from '../messages';

const { edit: text } = messages;

/** Back to the list as it was, or to its beginning where the address came from elsewhere. */
function useWayBack() {
  const navigate = useNavigate();
  const { state } = useLocation();
  const fromList = (state as { fromList?: boolean } | null)?.fromList === true;
  return () => void (fromList ? navigate(-1) : navigate(paths.manage));
}

function EditProduct({ id }: { id: string }) {
  const leave = useWayBack();
  const { data, error, isError, isFetching, refetch } = useGetProductQuery(id, {
    refetchOnMountOrArgChange: true,
  });
  // What the form begins with is never an answer from before; what is read later must not change what was typed.
  const [product, setProduct] = useState<Product>();
  if (!product && data && !isFetching && !isError) setProduct(data);

  if (product) {
    return (
      <>
        <EditForm
          product={product}
          reload={async () => (await refetch()).data}
          onSaved={() => {
            void refetch();
            notify.success(text.done);
            leave();
          }}
          onCancel={leave}
        />
        <TiersForm product={product} />
        <PicturesForm
          product={product}
          onSaved={([img = product.img]) => setProduct({ ...product, img })}
        />
        <NumbersForm id={id} />
        <FitmentsForm id={id} />
        <Link
          to={auditPath(id)}
          className="link-accent mt-6 inline-flex min-h-11 items-center self-start"
        >
          {text.history}
        </Link>
      </>
    );
  }
  if (!isError || isFetching) {
    return (
      <div role="status" aria-label={text.loading}>
        <Skeleton className="h-96" />
      </div>
    );
  }
  if (hasStatus(error, 404, 410)) {
    return (
      <Empty title={text.gone} action={<ButtonLink to={paths.manage}>{text.toList}</ButtonLink>}>
        {text.goneHint}
      </Empty>
    );
  }
  return <ErrorState title={text.failed} error={error} onRetry={refetch} />;
}

export default function EditProductPage() {
  usePageTitle(text.heading);
  const { productId = '' } = useParams();
  return (
    <>
      <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">{text.heading}</h1>
      <EditProduct key={productId} id={productId} />
    </>
  );
}
