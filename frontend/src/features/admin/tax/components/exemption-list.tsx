import { useState } from 'react';
import { Link } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { Answered } from '@/ui/answered';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { type Column, DataTable } from '@/ui/data-table';
import { Dialog } from '@/ui/dialog';
import { Empty } from '@/ui/empty';
import { notify } from '@/ui/notify';
import { validityOf } from '../../shared/days';
import { useListExemptionsQuery, useRemoveExemptionMutation } from '../api';
import { messages } from '../messages';
import type { Exemption } from '../wire';
import { ExemptionForm } from './exemption-form';
import { usePlaceNames, WithCountries } from './with-countries';

const { exemptions: text } = messages;

/** What an exemption is good for today. */
export function ExemptionState({ exemption: { state } }: { exemption: Exemption }) {
  return <Badge tone={state === 'valid' ? 'success' : 'warning'}>{text.states[state]}</Badge>;
}

export function RemoveExemption({ exemption }: { exemption: Exemption }) {
  const [remove] = useRemoveExemptionMutation();
  const { _id: id, email, kind, number } = exemption;
  return (
    <ConfirmedButton
      label={messages.remove}
      context={`${text.kinds[kind]}, ${email}, ${number}`}
      question={text.question(text.kinds[kind], email)}
      note={text.note}
      danger
      onConfirm={() => remove(id)}
      // Gone already, by another admin: that is what was wanted.
      messageOf={({ status, message }) => (status === 404 ? null : message)}
      onDone={() => notify.success(text.removed)}
    />
  );
}

interface ExemptionTableProps {
  exemptions: readonly Exemption[];
  /** Whether they are of several customers, who are then named. */
  named: boolean;
}

export function ExemptionTable({ exemptions, named }: ExemptionTableProps) {
  const { countryName, regionName } = usePlaceNames();
  const columns: readonly Column<Exemption>[] = [
    ...(named
      ? [
          {
            header: text.columns.customer,
            cell: ({ email }: Exemption) => (
              <Link to={paths.customer(email)} className="link-accent break-all">
                {email}
              </Link>
            ),
          },
        ]
      : []),
    { header: text.columns.kind, cell: ({ kind }) => text.kinds[kind] },
    {
      header: text.columns.where,
      cell: ({ country, region }) =>
        region ? `${countryName(country)}, ${regionName(country, region)}` : countryName(country),
    },
    {
      header: text.columns.number,
      cell: ({ number }) => <span className="break-all">{number}</span>,
    },
    { header: text.columns.validity, cell: validityOf },
    {
      header: text.columns.state,
      cell: (exemption) => <ExemptionState exemption={exemption} />,
    },
    {
      header: text.columns.actions,
      cell: (exemption) => <RemoveExemption exemption={exemption} />,
    },
  ];
  return (
    <DataTable
      caption={text.caption}
      columns={columns}
      rows={exemptions}
      rowKey={({ _id }) => String(_id)}
    />
  );
}

/** A button whose dialog adds an exemption, of anybody or of one customer. */
export function AddExemption({ email }: { email?: string }) {
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        data-commands
        variant={email === undefined ? 'primary' : 'outline'}
        className="justify-self-start"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {text.add}
      </Button>
      <Dialog open={open} wide title={text.addTitle} onClose={close}>
        <WithCountries>
          {(countries) => (
            <ExemptionForm
              countries={countries}
              onClose={close}
              {...(email === undefined ? {} : { email })}
            />
          )}
        </WithCountries>
      </Dialog>
    </>
  );
}

/** Who does not pay tax. */
export function ExemptionList() {
  const answer = useListExemptionsQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <section aria-label={text.title} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="max-w-prose text-muted">{text.hint}</p>
      <AddExemption />
      <Answered answer={answer} loading={text.loading} failed={text.failed}>
        {(exemptions) =>
          exemptions.length === 0 ? (
            <Empty title={text.empty}>{text.emptyHint}</Empty>
          ) : (
            <ExemptionTable exemptions={exemptions} named />
          )
        }
      </Answered>
    </section>
  );
}
