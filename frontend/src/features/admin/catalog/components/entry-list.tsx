import { useState } from 'react';
import type { CallError } from '@/api/problem';
import { closeKeyboard } from '@/lib/close-keyboard';
import { Button } from '@/ui/button';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { type Column, DataTable } from '@/ui/data-table';
import { Dialog } from '@/ui/dialog';
import { DialogActions } from '@/ui/dialog-actions';
import { DialogButton } from '@/ui/dialog-button';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { TableSkeleton } from '@/ui/table-skeleton';
import { messages } from '../messages';
import { type EntryField, EntryForm, type EntryValues } from './entry-form';

type Outcome = Promise<{ error?: CallError | undefined }>;

interface Words {
  title: string;
  hint: string;
  addTitle: string;
  changeTitle: string;
  question: (name: string) => string;
  note: string;
  empty: string;
  emptyHint: string;
  loading: string;
  failed: string;
}

/** A list that admins keep: what an entry is called, of what it consists, and how it is changed. */
export interface EntryKind<Row> {
  words: Words;
  fields: readonly EntryField[];
  blank: EntryValues;
  columns: readonly Column<Row>[];
  nameOf: (row: Row) => string;
  valuesOf: (row: Row) => EntryValues;
  save: (values: EntryValues, row?: Row) => Outcome;
  remove: (row: Row) => Outcome;
}

interface EntryListProps<Row> {
  kind: EntryKind<Row>;
  answer: {
    data?: readonly Row[] | undefined;
    error?: CallError | undefined;
    isError: boolean;
    isFetching: boolean;
    refetch: () => unknown;
  };
}

interface ChangeDialogProps<Row> {
  kind: EntryKind<Row>;
  row: Row;
  onClose: () => void;
}

function ChangeDialog<Row>({ kind, row, onClose }: ChangeDialogProps<Row>) {
  const { words, fields, valuesOf, save } = kind;
  return (
    <Dialog open title={words.changeTitle} onClose={onClose}>
      <EntryForm
        className="grid gap-5"
        fields={fields}
        initial={valuesOf(row)}
        save={(values) => save(values, row)}
        onSaved={onClose}
      >
        {(busy) => (
          <DialogActions>
            <Button variant="outline" onClick={onClose} disabled={busy}>
              {messages.cancel}
            </Button>
            <Button type="submit" busy={busy}>
              {messages.save}
            </Button>
          </DialogActions>
        )}
      </EntryForm>
    </Dialog>
  );
}

function actionsOf<Row>(kind: EntryKind<Row>): Column<Row> {
  const { words, nameOf, remove } = kind;
  return {
    header: messages.actions,
    cell: (row) => (
      <div className="flex flex-wrap gap-2">
        <DialogButton label={messages.rename} context={nameOf(row)}>
          {(close) => <ChangeDialog kind={kind} row={row} onClose={close} />}
        </DialogButton>
        <ConfirmedButton
          label={messages.delete}
          context={nameOf(row)}
          question={words.question(nameOf(row))}
          note={words.note}
          danger
          onConfirm={() => remove(row)}
          // Gone already, by another admin: that is what was wanted.
          messageOf={({ status, message }) => (status === 404 ? null : message)}
        />
      </div>
    ),
  };
}

/** One of the lists, with what adds to it, and every entry to be changed and deleted. */
export function EntryList<Row>({ kind, answer }: EntryListProps<Row>) {
  const { words, fields, blank, columns, nameOf } = kind;
  const { data, error, isError, isFetching, refetch } = answer;
  const [filter, setFilter] = useState('');
  const wanted = filter.trim().toLowerCase();
  const rows = data?.filter((row) => nameOf(row).toLowerCase().includes(wanted));

  const list = () => {
    if (!data || !rows) {
      return isError && !isFetching ? (
        <ErrorState title={words.failed} error={error} onRetry={refetch} />
      ) : (
        <TableSkeleton rows={4} label={words.loading} />
      );
    }
    if (data.length === 0) return <Empty title={words.empty}>{words.emptyHint}</Empty>;
    return (
      <>
        <input
          type="search"
          className="input max-w-md"
          aria-label={messages.filter}
          placeholder={messages.filter}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
          onKeyDown={closeKeyboard}
        />
        {rows.length === 0 ? (
          <p role="status">{messages.noMatch}</p>
        ) : (
          <DataTable
            caption={words.title}
            columns={[...columns, actionsOf(kind)]}
            rows={rows}
            rowKey={nameOf}
          />
        )}
      </>
    );
  };

  return (
    <section aria-label={words.title} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <p className="text-muted">{words.hint}</p>
      <EntryForm
        className="card-surface grid items-end gap-4 p-4 sm:grid-cols-2 sm:p-6"
        fields={fields}
        initial={blank}
        save={(values) => kind.save(values)}
      >
        {(busy) => (
          <Button type="submit" busy={busy} className="justify-self-start">
            {words.addTitle}
          </Button>
        )}
      </EntryForm>
      {list()}
    </section>
  );
}
