import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { useGetTopDealsQuery } from '../api';
import { CardSkeletons, cardGrid, ProductCard } from './product-card';
import { SectionHeading } from './section-heading';
import { SeeMore } from './see-more';

function Deals() {
  const { data, isFetching, isError, error, refetch } = useGetTopDealsQuery();
  if (data?.items.length) {
    return (
      <div className={cardGrid}>
        {data.items.slice(0, 4).map((product) => (
          <ProductCard key={product._id} product={product} />
        ))}
      </div>
    );
  }
  if (data) {
    return (
      <Empty
        title="The shelves are being filled"
        action={<ButtonLink to={paths.about}>About us</ButtonLink>}
      >
        There is no product on sale right now. Please come back soon.
      </Empty>
    );
  }
  if (isError) {
    return (
      <ErrorState
        title="The deals did not load"
        error={error}
        onRetry={refetch}
        busy={isFetching}
      />
    );
  }
  return <CardSkeletons count={4} label="Loading deals" />;
}

/** The first four products. */
export function TopDeals() {
  return (
    <section aria-labelledby="top-deals" className="shell py-16 lg:py-20">
      <SectionHeading id="top-deals" aside={<SeeMore of="deals" />}>
        Top Hot Deals
      </SectionHeading>
      <Deals />
    </section>
  );
}
