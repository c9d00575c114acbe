import { Link } from 'react-router-dom';
import { formatDay } from '@/lib/dates';
import { Button } from '@/ui/button';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { notify } from '@/ui/notify';
import { useRemoveListMutation } from '../api';
import { messages } from '../messages';
import { useOrderList } from '../use-order-list';
import type { ListedList } from '../wire';

interface ListCardProps {
  list: ListedList;
  checking: boolean;
  onOrder: () => void;
}

function ListCard({ list, checking, onOrder }: ListCardProps) {
  const { _id: id, name, lines, changedAt } = list;
  const [remove] = useRemoveListMutation();
  return (
    <li className="card-surface flex flex-wrap items-center justify-between gap-4 p-4 sm:p-6">
      <div className="min-w-0">
        <h2 className="text-xl normal-case wrap-anywhere">
          <Link to={`?list=${encodeURIComponent(id)}`} className="hover:underline">
            {name}
          </Link>
        </h2>
        <p className="text-muted">
          {messages.lines(lines)} ·{' '}
          <time dateTime={changedAt}>{messages.changed(formatDay(changedAt))}</time>
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button busy={checking} disabled={lines === 0} onClick={onOrder}>
          {messages.check} <span className="sr-only">{name}</span>
        </Button>
        <Link to={`?list=${encodeURIComponent(id)}`} className="btn btn-outline">
          {messages.open} <span className="sr-only">{name}</span>
        </Link>
        <ConfirmedButton
          label={messages.remove}
          context={name}
          question={messages.question(name)}
          note={messages.note}
          danger
          onConfirm={() => remove(id)}
          // Gone already, from another browser: that is what was wanted.
          messageOf={({ status, message }) => (status === 404 ? null : message)}
          onDone={() => notify.success(messages.removed(name))}
        />
      </div>
    </li>
  );
}

/** Somebody's lists, the one that was changed last first. */
export function Lists({ lists }: { lists: readonly ListedList[] }) {
  const { order, checking } = useOrderList();
  const sorted = lists.toSorted((a, b) => b.changedAt.localeCompare(a.changedAt));
  return (
    <ul aria-label={messages.list} className="grid gap-4">
      {sorted.map((list) => (
        <ListCard
          key={list._id}
          list={list}
          checking={checking === list._id}
          onOrder={() => void order(list._id)}
        />
      ))}
    </ul>
  );
}
