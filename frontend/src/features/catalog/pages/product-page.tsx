import { useEffect } from 'react';
import { useParams } from 'react-router-dom';
import { hasStatus, problemOf } from '@/api/problem';
import { useUser } from '@/features/accounts/session/use-session';
import { FitBanner } from '@/features/fitment/components/fit-banner';
import { FittingVehicles } from '@/features/fitment/components/fitting-vehicles';
import { useFit } from '@/features/fitment/use-fit';
import { VehicleBar } from '@/features/vehicles/components/vehicle-bar';
import { paths } from '@/lib/paths';
import { usePageTitle } from '@/lib/use-page-title';
import { ButtonLink } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { FRESH, useGetProductQuery } from '../api';
import { BackToResults, ProductCrumbs } from '../components/breadcrumb';
import { ProductDetail } from '../components/product-detail';
import { ProductNumbers } from '../components/product-numbers';
import { ProductReviews } from '../components/product-reviews';
import { ProductFrame, ProductSkeleton } from '../components/product-skeleton';
import { Replaced } from '../components/replaced';
import { dropDraft } from '../draft';
import { productMessages as messages } from './messages';

export default function ProductPage() {
  const { productId = '' } = useParams();
  const user = useUser();
  const { currentData, error, isError, isFetching, refetch } = useGetProductQuery(productId, {
    refetchOnMountOrArgChange: FRESH,
  });
  usePageTitle(currentData?.name ?? messages.title);

  const { vehicle, choose, fit, ...fitting } = useFit(productId, currentData !== undefined);
  const gone = isError && hasStatus(error, 404, 410);
  const replacedBy = isError ? problemOf(error).replacedBy : undefined;
  useEffect(() => {
    // Nobody will come back to a form for it.
    if (gone) dropDraft(productId);
  }, [gone, productId]);

  // What is known stays on the screen when asking again fails, above all a half-filled form; only a 404 takes it away.
  const content = () => {
    if (replacedBy) return <Replaced by={replacedBy} />;
    if (gone) {
      return (
        <>
          <h1 className="sr-only">{messages.title}</h1>
          <Empty
            title={messages.gone}
            action={<ButtonLink to={paths.shop}>{messages.shop}</ButtonLink>}
          >
            {messages.goneHint}
          </Empty>
        </>
      );
    }
    if (currentData && user) {
      return (
        <>
          {vehicle && (
            <FitBanner
              {...fitting}
              fit={fit}
              onEngine={(engine) => choose({ ...vehicle, engine })}
            />
          )}
          <ProductDetail
            key={currentData._id}
            fit={fit}
            confirmed={fitting.confirmed}
            product={currentData}
            user={user}
            onRepeated={() => void refetch()}
          />
          <ProductNumbers id={currentData._id} />
          <FittingVehicles id={currentData._id} />
          <ProductReviews key={`reviews-${currentData._id}`} product={currentData} />
        </>
      );
    }
    return (
      <>
        <h1 className="sr-only">{messages.title}</h1>
        {isError && !isFetching ? (
          <ErrorState title={messages.failed} error={error} onRetry={refetch} />
        ) : (
          <ProductSkeleton />
        )}
      </>
    );
  };

  return (
    <>
      <VehicleBar chosen={vehicle} onChoose={choose} />
      <ProductFrame
        back={<BackToResults />}
        crumbs={currentData && !gone && <ProductCrumbs product={currentData} />}
      >
        {content()}
      </ProductFrame>
    </>
  );
}
