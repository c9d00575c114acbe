import { useState } from 'react';
import { useListCountriesQuery } from '@/features/addresses/api';
import type { Country } from '@/features/addresses/wire';
import { Answered } from '@/ui/answered';
import { Button } from '@/ui/button';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { type Column, DataTable } from '@/ui/data-table';
import { Dialog } from '@/ui/dialog';
import { DialogButton } from '@/ui/dialog-button';
import { Empty } from '@/ui/empty';
import { notify } from '@/ui/notify';
import { useListShippingMethodsQuery, useRemoveShippingMethodMutation } from '../api';
import { messages } from '../messages';
import { kilograms } from '../method';
import type { ShippingMethod } from '../wire';
import { MethodForm } from './method-form';

const { methods: text } = messages;

/** What a method costs, line by line. */
export function costsOf(method: ShippingMethod): string[] {
  const { freeOver, bands, perExtraKg, palletFromGrams, perPallet } = method;
  const pallet = palletFromGrams == null ? null : kilograms(palletFromGrams);
  return [
    ...(freeOver == null ? [] : [text.freeOver(freeOver)]),
    ...bands.map(({ upToGrams, price }) => text.band(kilograms(upToGrams), price)),
    ...(perExtraKg ? [text.extra(perExtraKg)] : []),
    ...(pallet === null
      ? []
      : [perPallet == null ? text.quote(pallet) : text.pallet(pallet, perPallet)]),
  ];
}

function Actions({ method, countries }: { method: ShippingMethod; countries: readonly Country[] }) {
  const [remove] = useRemoveShippingMethodMutation();
  return (
    <div className="flex flex-wrap gap-2">
      <DialogButton label={text.edit} context={method.name}>
        {(close) => (
          <Dialog open wide title={text.editTitle} onClose={close}>
            <MethodForm method={method} countries={countries} onClose={close} />
          </Dialog>
        )}
      </DialogButton>
      <ConfirmedButton
        label={text.remove}
        context={method.name}
        question={text.question(method.name)}
        note={text.note}
        danger
        onConfirm={() => remove(method._id)}
        // Gone already, by another admin: that is what was wanted.
        messageOf={({ status, message }) => (status === 404 ? null : message)}
        onDone={() => notify.success(text.removed)}
      />
    </div>
  );
}

function columnsFor(countries: readonly Country[]): readonly Column<ShippingMethod>[] {
  const nameOf = (code: string) => countries.find((each) => each.code === code)?.name ?? code;
  return [
    {
      header: text.columns.name,
      cell: ({ name }) => <span className="font-semibold wrap-anywhere">{name}</span>,
    },
    {
      header: text.columns.where,
      cell: (method) => method.countries?.map(nameOf).join(', ') ?? text.everywhere,
    },
    {
      header: text.columns.cost,
      cell: (method) => (
        <ul>
          {costsOf(method).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      ),
    },
    {
      header: text.columns.actions,
      cell: (method) => <Actions method={method} countries={countries} />,
    },
  ];
}

/** The ways to deliver, each to be changed and deleted. */
export function MethodList() {
  const answer = useListShippingMethodsQuery(undefined, { refetchOnMountOrArgChange: true });
  const { data: countries = [] } = useListCountriesQuery();
  const [open, setOpen] = useState(false);
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
      <Dialog open={open} wide title={text.addTitle} onClose={() => setOpen(false)}>
        <MethodForm countries={countries} onClose={() => setOpen(false)} />
      </Dialog>
      <Answered answer={answer} loading={text.loading} failed={text.failed} rows={2}>
        {(methods) =>
          methods.length === 0 ? (
            <Empty title={text.empty}>{text.emptyHint}</Empty>
          ) : (
            <DataTable
              caption={text.caption}
              columns={columnsFor(countries)}
              rows={methods}
              rowKey={({ _id }) => _id}
            />
          )
        }
      </Answered>
    </section>
  );
}
