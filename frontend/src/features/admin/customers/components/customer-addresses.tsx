import { useListCountriesQuery } from '@/features/addresses/api';
import { addressLines } from '@/features/addresses/format';
import { Answered } from '@/ui/answered';
import { Badge } from '@/ui/badge';
import { useListAddressesOfQuery } from '../api';
import { messages } from '../messages';

const { addresses: text } = messages;

/** The addresses that a customer keeps. Only they change them. */
export function CustomerAddresses({ email }: { email: string }) {
  const { data: countries = [] } = useListCountriesQuery();
  const answer = useListAddressesOfQuery(email, { refetchOnMountOrArgChange: true });
  return (
    <section aria-labelledby="addresses" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <h2 id="addresses" className="text-2xl">
        {text.heading}
      </h2>
      <Answered answer={answer} loading={text.loading} failed={text.failed} rows={1}>
        {(addresses) =>
          addresses.length === 0 ? (
            <p className="text-muted">{text.empty}</p>
          ) : (
            <ul aria-label={text.heading} className="divide-y divide-base-300">
              {addresses.map(({ _id, name, phone, isDefault, ...at }) => (
                <li key={_id} className="py-2 wrap-anywhere">
                  <p className="font-semibold">
                    {name} {isDefault && <Badge tone="accent">{text.usual}</Badge>}
                  </p>
                  <p className="text-muted">
                    {[...addressLines(at, countries), ...(phone ? [phone] : [])].join(', ')}
                  </p>
                </li>
              ))}
            </ul>
          )
        }
      </Answered>
    </section>
  );
}
