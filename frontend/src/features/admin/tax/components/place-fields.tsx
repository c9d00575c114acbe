import { useFormikContext } from 'formik';
import { useEffect, useRef } from 'react';
import { byName, formatOf } from '@/features/addresses/format';
import type { Country } from '@/features/addresses/wire';
import { SelectField, TextField } from '@/ui/form';

interface PlaceFieldsProps {
  countries: readonly Country[];
  labels: { country: string; region: string; regionHint: string };
  /** What stands for no region. */
  everywhere: string;
}

/** A country and, in it, a region or all of it: the fields `country` and `region` of a form. */
export function PlaceFields({ countries, labels, everywhere }: PlaceFieldsProps) {
  const { values, setFieldValue } = useFormikContext<{ country: string; region: string }>();
  const { country } = values;
  const before = useRef(country);
  useEffect(() => {
    if (before.current === country) return;
    before.current = country;
    // A region of another country is none of this one.
    void setFieldValue('region', '');
  }, [country, setFieldValue]);
  const regions = formatOf(countries, country).regions ?? [];
  const region = { name: 'region', label: labels.region, hint: labels.regionHint };
  return (
    <>
      <SelectField
        name="country"
        label={labels.country}
        options={byName(countries).map(({ code, name }) => ({ value: code, label: name }))}
        required
      />
      {regions.length > 0 ? (
        <SelectField
          {...region}
          options={[
            { value: '', label: everywhere },
            ...regions.map(({ code, name }) => ({ value: code, label: name })),
          ]}
        />
      ) : (
        <TextField {...region} autoComplete="off" maxLength={60} />
      )}
    </>
  );
}
