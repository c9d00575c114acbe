import { useField, useFormikContext } from 'formik';
import { cx } from '@/ui/cx';
import { Field } from '@/ui/field';
import { TextField } from '@/ui/form';
import {
  type AddressValues,
  byName,
  formatOf,
  labelOf,
  longest,
  partsOf,
  regionIn,
} from '../format';
import { fieldMessages as messages } from '../messages';
import type { AddressPart, Country } from '../wire';

/** As browsers know the parts (HTML, autofill). */
const tokens: Record<AddressPart, string> = {
  company: 'organization',
  line1: 'address-line1',
  line2: 'address-line2',
  city: 'address-level2',
  region: 'address-level1',
  postcode: 'postal-code',
  country: 'country',
};

/** These take a row of their own; the others stand beside each other. */
const wide = new Set<AddressPart>(['company', 'line1', 'line2']);

interface AddressFieldsProps {
  /** As `useListCountriesQuery` answers them. */
  countries: readonly Country[];
  /** Where the address is in the form's values: `address` for `values.address.line1`. Left out, its parts are the form's own. */
  at?: string;
  /** What browsers fill it in as: where goods go, or where invoices do. */
  section?: 'shipping' | 'billing';
  /** Whether companies are asked for. */
  hasCompany?: boolean;
}

function Choice({
  name,
  label,
  token,
  required,
  options,
  onChoose,
}: {
  name: string;
  label: string;
  token: string;
  required: boolean;
  options: readonly { code: string; name: string }[];
  onChoose: (code: string) => void;
}) {
  const [{ value, onBlur }, meta] = useField<string>(name);
  return (
    <Field
      label={label}
      hint={required ? undefined : messages.optional}
      error={meta.touched ? meta.error : undefined}
    >
      {(fieldProps) => (
        <select
          {...fieldProps}
          name={name}
          className="select"
          autoComplete={token}
          required={required}
          value={value}
          onBlur={onBlur}
          onChange={(event) => onChoose(event.target.value)}
        >
          {options.map((option) => (
            <option key={option.code} value={option.code}>
              {option.name}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function valuesAt(values: unknown, at: string | undefined): AddressValues {
  return (at === undefined ? values : (values as Record<string, unknown>)[at]) as AddressValues;
}

/**
 * The fields of an address, inside a form of `AddressValues` (format.ts): the country first, then what its addresses have, in
 * the order of an envelope there and under the names that it has for them. Its rules are `addressSchema` of schema.ts.
 */
export function AddressFields({
  countries,
  at,
  section = 'shipping',
  hasCompany = true,
}: AddressFieldsProps) {
  const { values, setFieldValue } = useFormikContext<unknown>();
  const address = valuesAt(values, at);
  const format = formatOf(countries, address.country);
  const nameOf = (part: AddressPart) => (at === undefined ? part : `${at}.${part}`);
  const tokenOf = (part: AddressPart) => `${section} ${tokens[part]}`;
  const set = (part: AddressPart, value: string) => void setFieldValue(nameOf(part), value);

  const chooseCountry = (code: string) => {
    set('country', code);
    // A region of another country is none of this one.
    if (address.region) set('region', regionIn(formatOf(countries, code), address.region));
  };
  const isRequired = (part: AddressPart) =>
    part === 'line1' ||
    part === 'city' ||
    ((part === 'region' || part === 'postcode') && format[part] === 'required');

  // A country that is not on the list, as one to which nothing is sent by now, is shown all the same.
  const known = countries.some(({ code }) => code === address.country);
  const sorted = byName(countries);
  const options = known ? sorted : [format, ...sorted];

  const regions = format.regions ?? [];
  const parts = partsOf(format).filter((part) => part !== 'company' || hasCompany);
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <div className="col-span-full">
        <Choice
          name={nameOf('country')}
          label={messages.country}
          token={tokenOf('country')}
          required
          options={options}
          onChoose={chooseCountry}
        />
      </div>
      {parts.map((part) => {
        const required = isRequired(part);
        const label = labelOf(part, format);
        const hint =
          part === 'line1' ? messages.line1Hint : required ? undefined : messages.optional;
        return (
          <div key={part} className={cx(wide.has(part) && 'col-span-full')}>
            {part === 'region' && regions.length > 0 ? (
              <Choice
                name={nameOf(part)}
                label={label}
                token={tokenOf(part)}
                required={required}
                options={[{ code: '', name: messages.choose(label) }, ...regions]}
                onChoose={(code) => set(part, code)}
              />
            ) : (
              <TextField
                name={nameOf(part)}
                label={label}
                hint={hint}
                autoComplete={tokenOf(part)}
                maxLength={longest[part]}
                required={required}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}
