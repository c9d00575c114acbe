import { useState } from 'react';
import { closeKeyboard } from '@/lib/close-keyboard';
import { Answered } from '@/ui/answered';
import { Button } from '@/ui/button';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { type Column, DataTable } from '@/ui/data-table';
import { Dialog } from '@/ui/dialog';
import { DialogButton } from '@/ui/dialog-button';
import { Empty } from '@/ui/empty';
import { notify } from '@/ui/notify';
import { validityOf } from '../../shared/days';
import { useListTaxRatesQuery, useRemoveTaxRateMutation } from '../api';
import { messages } from '../messages';
import type { TaxRate } from '../wire';
import { RateForm } from './rate-form';
import { usePlaceNames, WithCountries } from './with-countries';

const { rates: text } = messages;

function Actions({ rate, name }: { rate: TaxRate; name: string }) {
  const [remove] = useRemoveTaxRateMutation();
  return (
    <div className="flex flex-wrap gap-2">
      <DialogButton label={messages.edit} context={name}>
        {(close) => (
          <Dialog open wide title={text.editTitle} onClose={close}>
            <WithCountries>
              {(countries) => <RateForm rate={rate} countries={countries} onClose={close} />}
            </WithCountries>
          </Dialog>
        )}
      </DialogButton>
      <ConfirmedButton
        label={messages.remove}
        context={name}
        question={text.question(name)}
        note={text.note}
        danger
        onConfirm={() => remove(rate._id)}
        // Gone already, by another admin: that is what was wanted.
        messageOf={({ status, message }) => (status === 404 ? null : message)}
        onDone={() => notify.success(text.removed)}
      />
    </div>
  );
}

function Rates({ rates }: { rates: readonly TaxRate[] }) {
  const { countryName, regionName } = usePlaceNames();
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLowerCase();
  const placeOf = ({ country, region }: TaxRate) =>
    region ? `${countryName(country)}, ${regionName(country, region)}` : countryName(country);
  const nameOf = (rate: TaxRate) => `${rate.name}, ${placeOf(rate)}`;
  const rows = rates
    .filter((rate) => nameOf(rate).toLowerCase().includes(wanted))
    .toSorted(
      (a, b) =>
        placeOf(a).localeCompare(placeOf(b), 'en') || a.validFrom.localeCompare(b.validFrom),
    );
  const columns: readonly Column<TaxRate>[] = [
    { header: text.columns.country, cell: ({ country }) => countryName(country) },
    {
      header: text.columns.region,
      cell: ({ country, region }) => (region ? regionName(country, region) : text.wholeCountry),
    },
    { header: text.columns.name, cell: ({ name }) => name },
    {
      header: text.columns.rate,
      cell: ({ basisPoints }) => text.percent(basisPoints),
      numeric: true,
    },
    { header: text.columns.validity, cell: validityOf },
    { header: text.columns.actions, cell: (rate) => <Actions rate={rate} name={nameOf(rate)} /> },
  ];
  return (
    <>
      <input
        type="search"
        className="input max-w-md"
        aria-label={text.filter}
        placeholder={text.filter}
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
        onKeyDown={closeKeyboard}
      />
      {rows.length === 0 ? (
        <p role="status">{text.noMatch}</p>
      ) : (
        <DataTable
          caption={text.caption}
          columns={columns}
          rows={rows}
          rowKey={({ _id }) => String(_id)}
        />
      )}
    </>
  );
}

/** What is charged where, each rate to be changed and deleted. */
export function RateList() {
  const answer = useListTaxRatesQuery(undefined, { refetchOnMountOrArgChange: true });
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <section aria-label={text.title} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Button
        data-commands
        className="justify-self-start"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {text.add}
      </Button>
      <Dialog open={open} wide title={text.addTitle} onClose={close}>
        <WithCountries>
          {(countries) => <RateForm countries={countries} onClose={close} />}
        </WithCountries>
      </Dialog>
      <Answered answer={answer} loading={text.loading} failed={text.failed}>
        {(rates) =>
          rates.length === 0 ? (
            <Empty title={text.empty}>{text.emptyHint}</Empty>
          ) : (
            <Rates rates={rates} />
          )
        }
      </Answered>
    </section>
  );
}
