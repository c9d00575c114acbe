import type { ReactNode } from 'react';
import { useListCountriesQuery } from '@/features/addresses/api';
import type { Country } from '@/features/addresses/wire';
import { Answered } from '@/ui/answered';
import { messages } from '../messages';

/** A form that needs the countries, once they are there. */
export function WithCountries({
  children,
}: {
  children: (countries: readonly Country[]) => ReactNode;
}) {
  const answer = useListCountriesQuery();
  return (
    <Answered answer={answer} loading={messages.countriesLoading} failed={messages.countriesFailed}>
      {children}
    </Answered>
  );
}

/** What a country and a region of it are called, by their codes. */
export function usePlaceNames() {
  const { data: countries = [] } = useListCountriesQuery();
  const countryOf = (code: string) => countries.find((each) => each.code === code);
  return {
    countryName: (code: string) => countryOf(code)?.name ?? code,
    regionName: (code: string, region: string) =>
      countryOf(code)?.regions?.find((each) => each.code === region)?.name ?? region,
  };
}
