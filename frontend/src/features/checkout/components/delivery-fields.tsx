import { useFormikContext } from 'formik';
import type { ChangeEvent } from 'react';
import { AddressFields } from '@/features/addresses/components/address-fields';
import { addressValues, blankAddress } from '@/features/addresses/format';
import type { BookAddress, Country } from '@/features/addresses/wire';
import { Field } from '@/ui/field';
import { inOneLine } from '../address';
import type { CheckoutValues } from '../form';
import { checkoutMessages } from '../messages';

const { address: text } = checkoutMessages;

/** The addresses of the buyer's book, to fill the fields in. */
function Book({ book }: { book: readonly BookAddress[] }) {
  const { values, setValues } = useFormikContext<CheckoutValues>();
  const choose = ({ target }: ChangeEvent<HTMLSelectElement>) => {
    const kept = book.find(({ _id }) => _id === target.value);
    void setValues({
      ...values,
      ...(kept ? addressValues(kept) : { ...blankAddress, country: values.country }),
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

/** Where it goes: out of the book, or as it is typed. */
export function DeliveryFields({
  countries,
  book,
}: {
  countries: readonly Country[];
  book: readonly BookAddress[];
}) {
  const { values, setFieldValue } = useFormikContext<CheckoutValues>();
  return (
    <>
      {book.length > 0 && <Book book={book} />}
      <AddressFields countries={countries} />
      {values.kept === '' && (
        <label className="flex min-h-11 cursor-pointer items-center gap-3">
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
    </>
  );
}
