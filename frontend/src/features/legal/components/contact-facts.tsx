import type { ReactNode } from 'react';
import type { ShopFacts } from '@/api/types';
import { useGetConfigQuery } from '@/features/accounts/session/api';
import { phoneLink } from '@/lib/phone-link';
import { ErrorState } from '@/ui/error-state';
import { Skeleton } from '@/ui/skeleton';
import { contactMessages as messages } from '../messages';

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="border-t border-base-300 py-4">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="font-semibold">{children}</dd>
    </div>
  );
}

function Facts({ shop }: { shop: ShopFacts }) {
  const { company, email, phone, address, supportHours } = shop;
  return (
    <>
      <dl>
        {company && <Fact name={messages.company}>{company}</Fact>}
        {email && (
          <Fact name={messages.email}>
            <a className="link-accent" href={`mailto:${email}`}>
              {email}
            </a>
          </Fact>
        )}
        {phone && (
          <Fact name={messages.phone}>
            <a className="link-accent" href={phoneLink(phone)}>
              {phone}
            </a>
          </Fact>
        )}
        {address && <Fact name={messages.address}>{address}</Fact>}
        {supportHours && <Fact name={messages.hours}>{supportHours}</Fact>}
      </dl>
      {!email && !phone && <p>{messages.otherWays}</p>}
    </>
  );
}

/** Who runs the shop and how to reach them, as far as the shop says so. */
export function ContactFacts() {
  const { data, isError, isFetching, error, refetch } = useGetConfigQuery();
  if (data) return <Facts shop={data.shop} />;
  if (isError && !isFetching) {
    return <ErrorState title={messages.failed} error={error} onRetry={refetch} />;
  }
  return (
    <div role="status">
      <span className="sr-only">{messages.loading}</span>
      {['company', 'email', 'phone', 'address', 'hours'].map((line) => (
        <div key={line} className="border-t border-base-300 py-4">
          <Skeleton className="h-11 w-full" />
        </div>
      ))}
    </div>
  );
}
