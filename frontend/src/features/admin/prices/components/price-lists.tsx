import { formatCount } from '@/lib/money';
import { Button } from '@/ui/button';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { type Column, DataTable } from '@/ui/data-table';
import { Dialog } from '@/ui/dialog';
import { DialogButton } from '@/ui/dialog-button';
import { notify } from '@/ui/notify';
import { validityOf } from '../../shared/days';
import { useRemovePriceListMutation } from '../api';
import { messages } from '../messages';
import type { PriceList } from '../wire';
import { ListForm } from './list-form';

const { columns: headers } = messages;

/** What a list does: a part of all prices, or so many of its own. */
export const termsOf = ({ percent, prices }: PriceList) =>
  percent == null ? messages.prices(prices) : messages.percentOff(percent);

export function EditList({ list }: { list: PriceList }) {
  return (
    <DialogButton label={messages.edit} context={list.name}>
      {(close) => (
        <Dialog open wide title={messages.editTitle} onClose={close}>
          <ListForm list={list} onClose={close} />
        </Dialog>
      )}
    </DialogButton>
  );
}

export function RemoveList({ list, onDone }: { list: PriceList; onDone?: () => void }) {
  const [remove] = useRemovePriceListMutation();
  return (
    <ConfirmedButton
      label={messages.remove}
      context={list.name}
      question={messages.question(list.name)}
      note={messages.note(list.accounts)}
      danger
      onConfirm={() => remove(list._id)}
      // Gone already, by another admin: that is what was wanted.
      messageOf={({ status, message }) => (status === 404 ? null : message)}
      onDone={() => {
        notify.success(messages.removed);
        onDone?.();
      }}
    />
  );
}

interface PriceListsProps {
  lists: readonly PriceList[];
  onOpen: (id: string) => void;
}

/** All price lists, each to be opened, changed and deleted. */
export function PriceLists({ lists, onOpen }: PriceListsProps) {
  const columns: readonly Column<PriceList>[] = [
    {
      header: headers.name,
      cell: ({ name }) => <span className="font-semibold wrap-anywhere">{name}</span>,
    },
    { header: headers.terms, cell: termsOf },
    { header: headers.validity, cell: validityOf },
    { header: headers.priority, cell: ({ priority }) => formatCount(priority), numeric: true },
    { header: headers.accounts, cell: ({ accounts }) => formatCount(accounts), numeric: true },
    {
      header: headers.actions,
      cell: (list) => (
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" onClick={() => onOpen(String(list._id))}>
            {messages.open} <span className="sr-only">{list.name}</span>
          </Button>
          <EditList list={list} />
          <RemoveList list={list} />
        </div>
      ),
    },
  ];
  const sorted = lists.toSorted((a, b) => b.priority - a.priority || a.name.localeCompare(b.name));
  return (
    <DataTable
      caption={messages.caption}
      columns={columns}
      rows={sorted}
      rowKey={({ _id }) => String(_id)}
    />
  );
}
