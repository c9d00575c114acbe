import { useHydrated } from '@/lib/use-hydrated';
import { Spinner } from '@/ui/spinner';
import { useGetLatestReviewsQuery, useGetTopDealsQuery } from '../api';
import { Benefits } from '../components/benefits';
import { ComingBack } from '../components/coming-back';
import { ContinueWith } from '../components/continue-with';
import { CustomerReviews } from '../components/customer-reviews';
import { Hero } from '../components/hero';
import { LargePromo, PromoBanner, PromoCards } from '../components/promos';
import { Statistics } from '../components/statistics';
import { TopCategories } from '../components/top-categories';
import { TopDeals } from '../components/top-deals';
import { homeMessages } from './messages';

/**
 * The spec's full-screen spinner. It lies over the page instead of replacing it, so that the banner is painted at once
 * and nothing moves when the answers come.
 */
function LoadingVeil() {
  const deals = useGetTopDealsQuery();
  const reviews = useGetLatestReviewsQuery();
  // A page without its scripts loads nothing, and must not lie under a veil.
  const hydrated = useHydrated();
  if (!hydrated) return null;
  if (!deals.isLoading && !reviews.isLoading) return null;
  return (
    <div
      role="status"
      data-theme="driveline-dark"
      className="appear-late pointer-events-none fixed inset-0 top-16 z-30 grid place-content-center bg-base-100/60"
    >
      <Spinner />
      <span className="sr-only">{homeMessages.loading}</span>
    </div>
  );
}

export default function HomePage() {
  return (
    <>
      <LoadingVeil />
      <ContinueWith />
      <Hero />
      <ComingBack />
      <Benefits />
      <TopDeals />
      <PromoCards />
      <PromoBanner />
      <TopCategories />
      <LargePromo />
      <CustomerReviews />
      <Statistics />
    </>
  );
}
