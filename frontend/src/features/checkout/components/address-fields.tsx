import { useFormikContext } from 'formik';
import type { ChangeEvent } from 'react';
import { Field } from '@/ui/field';
import { SelectField, TextField } from '@/ui/form';
import {
  type AddressField,
  autofill,
  blankAddress,
  fieldsOf,
  inOneLine,
  isOptional,
  labelOf,
  longest,
  valuesOf,
} from '../address';
import type { CheckoutValues } from '../form';
import { checkoutMessages } from '../messages';
import type { Country, KeptAddress } from '../wire';

const { address: text } = checkoutMessages;

/** The addresses of the buyer's book, to fill the fields in. */
function Book({ book }: { book: readonly KeptAddress[] }) {
  const { values, setValues } = useFormikContext<CheckoutValues>();
  const choose = ({ target }: ChangeEvent<HTMLSelectElement>) => {
    const kept = book.find(({ _id }) => _id === target.value);
    void setValues({
      ...values,
      ...(kept ? valuesOf(kept) : { ...blankAddress, country: values.country }),
      ...(kept ? { name: kept.name, phone: kept.phone || values.phone } : {}),
      kept: kept?._id ?? '',
      saveAddress: '',
    });
  };
  return (
    <Field label={text.saved}>
      {(fieldProps) => (
        <select {...fieldProps} className="select" value={values.kept} onChange={choose}>
          {book.map((kept) => (
            <option key={kept._id} value={kept._id}>
              {inOneLine(kept)}
            </option>
          ))}
          <option value="">{text.another}</option>
        </select>
      )}
    </Field>
  );
}

function OneField({ field, country }: { field: AddressField; country: Country | undefined }) {
  const optional = isOptional(field, country);
  const common = {
    name: field,
    label: labelOf(field, country),
    autoComplete: autofill[field],
    required: !optional,
    ...(optional ? { hint: text.optional } : {}),
  };
  if (field === 'region' && country?.regions && country.regions.length > 0) {
    return (
      <SelectField
        {...common}
        options={[
          { value: '', label: text.chooseRegion },
          ...country.regions.map(({ code, name }) => ({ value: code, label: name })),
        ]}
      />
    );
  }
  return <TextField {...common} maxLength={longest[field]} />;
}

const isShort = (field: AddressField) =>
  field === 'city' || field === 'region' || field === 'postcode';

interface AddressFieldsProps {
  countries: readonly Country[];
  country: Country | undefined;
  book: readonly KeptAddress[];
}

/** Where it goes: as addresses are written in the country that is chosen. */
export function AddressFields({ countries, country, book }: AddressFieldsProps) {
  const { values, setFieldValue } = useFormikContext<CheckoutValues>();
  return (
    <div className="grid items-start gap-5 sm:grid-cols-3">
      {book.length > 0 && (
        <div className="col-span-full">
          <Book book={book} />
        </div>
      )}
      <div className="col-span-full">
        <SelectField
          name="country"
          label={text.country}
          autoComplete={autofill.country}
          options={countries.map(({ code, name }) => ({ value: code, label: name }))}
          required
        />
      </div>
      {fieldsOf(country).map((field) => (
        <div key={field} className={isShort(field) ? undefined : 'col-span-full'}>
          <OneField field={field} country={country} />
        </div>
      ))}
      {values.kept === '' && (
        <label className="flex min-h-11 cursor-pointer items-center col-span-full gap-3">
          <input
            type="checkbox"
            className="checkbox"
            checked={values.saveAddress === 'yes'}
            onChange={({ target }) =>
              void setFieldValue('saveAddress', target.checked ? 'yes' : '')
            }
          />
          <span>
            <span className="font-semibold">{text.save}</span>{' '}
            <span className="text-sm text-muted">{text.saveHint}</span>
          </span>
        </label>
      )}
    </div>
  );
}
