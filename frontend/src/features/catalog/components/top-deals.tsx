import { paths } from '@/lib/paths';
import { ButtonLink } from '@/ui/button';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { useGetTopDealsQuery } from '../api';
import { emptyMessages, homeMessages } from '../pages/messages';
import { CardSkeletons, cardGrid, ProductCard } from './product-card';
import { SectionHeading } from './section-heading';
import { SeeMore } from './see-more';

const messages = homeMessages.deals;

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
        title={emptyMessages.title}
        action={<ButtonLink to={paths.about}>{messages.about}</ButtonLink>}
      >
        {emptyMessages.text}
      </Empty>
    );
  }
  if (isError) {
    return <ErrorState title={messages.failed} error={error} onRetry={refetch} busy={isFetching} />;
  }
  return <CardSkeletons count={4} label={messages.loading} />;
}

/** The first four products. */
export function TopDeals() {
  return (
    <section aria-labelledby="top-deals" className="shell py-16 lg:py-20">
      <SectionHeading id="top-deals" aside={<SeeMore of={messages.more} />}>
        {messages.heading}
      </SectionHeading>
      <Deals />
    </section>
  );
}
