import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import type { Role, User, UserSort } from '@/api/types';
import { Avatar } from '@/features/accounts/session/components/avatar';
import { useSessionDispatch, useUser } from '@/features/accounts/session/use-session';
import { formatDay } from '@/lib/dates';
import { formatCount, formatMoney } from '@/lib/money';
import { paths } from '@/lib/paths';
import { Badge } from '@/ui/badge';
import { type Column, DataTable } from '@/ui/data-table';
import { Empty } from '@/ui/empty';
import { notify } from '@/ui/notify';
import { PersistentAlert } from '@/ui/persistent-alert';
import { TableSkeleton } from '@/ui/table-skeleton';
import { ListBar } from '../../shared/components/list-bar';
import { PagedList } from '../../shared/components/paged-list';
import { headerSort } from '../../shared/header-sort';
import { type ListKind, PAGE_SIZE, useListAddress } from '../../shared/use-list-address';
import { invalidateTags, useListAccountsQuery } from '../api';
import { MakeAdmin } from '../components/make-admin';
import { RemoveUser } from '../components/remove-user';
import { TakeAdminBack } from '../components/take-admin-back';
import { messages } from '../messages';

const kind: ListKind<UserSort, 'role', Role> = {
  sorts: ['oldest', 'newest', 'email', 'spent'],
  param: 'role',
  filters: ['admin', 'customer'],
};

const { columns: headers } = messages;

const isAdmin = (account: User) => account.role === 'admin';

interface RowHandlers {
  onTaken: (account: User) => void;
  onRemoved: (account: User) => void;
}

function columnsFor(
  address: { sort: UserSort; sortBy: (sort: UserSort) => void },
  self: string | undefined,
  { onTaken, onRemoved }: RowHandlers,
): readonly Column<User>[] {
  return [
    { header: headers.place, cell: (_account, index) => index + 1 },
    {
      header: headers.email,
      sort: headerSort(address, { ascending: 'email' }),
      cell: (account) => (
        <div className="flex min-w-0 items-center gap-3">
          <Avatar user={account} className="size-10 max-xs:hidden" />
          <div className="min-w-0">
            <p className="font-semibold break-all">
              <Link to={paths.customer(account.email)} className="link-accent">
                {account.email}
              </Link>
            </p>
            <p className="text-sm break-words text-muted">{account.displayName}</p>
            <Link
              to={`${paths.allOrders}?${new URLSearchParams({ q: account.email, state: 'all' })}`}
              className="link-accent inline-flex min-h-11 items-center text-sm"
            >
              {messages.orders}
              <span className="sr-only"> {messages.ordersOf(account.email)}</span>
            </Link>
          </div>
        </div>
      ),
    },
    {
      header: headers.role,
      cell: (account) => (
        <span className="flex flex-wrap gap-2">
          {isAdmin(account) ? (
            <Badge tone="accent">{messages.admin}</Badge>
          ) : (
            <Badge>{messages.customer}</Badge>
          )}
          {!account.verified && <Badge tone="warning">{messages.notVerified}</Badge>}
        </span>
      ),
    },
    {
      header: headers.joined,
      sort: headerSort(address, { ascending: 'oldest', descending: 'newest' }),
      cell: ({ createdAt }) => <time dateTime={createdAt}>{formatDay(createdAt)}</time>,
      className: 'whitespace-nowrap',
    },
    { header: headers.orders, cell: ({ orders }) => formatCount(orders), numeric: true },
    {
      header: headers.spent,
      sort: headerSort(address, { descending: 'spent' }),
      cell: ({ spent }) => formatMoney(spent),
      numeric: true,
    },
    {
      header: headers.actions,
      cell: (account) => (
        <div className="flex flex-wrap items-center gap-2">
          {isAdmin(account) ? (
            <TakeAdminBack account={account} self={account.email === self} onTaken={onTaken} />
          ) : (
            <MakeAdmin account={account} />
          )}
          <RemoveUser account={account} self={account.email === self} onRemoved={onRemoved} />
        </div>
      ),
    },
  ];
}

export default function UsersPage() {
  const user = useUser();
  const dispatch = useSessionDispatch();
  const navigate = useNavigate();
  const address = useListAddress(kind);
  const { query, cursor, narrowed } = address;
  const fresh = { refetchOnMountOrArgChange: true };
  const answer = useListAccountsQuery(
    { ...query, limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) },
    fresh,
  );
  const whole = useListAccountsQuery({ limit: 1 }, { ...fresh, skip: !narrowed });
  const total = (narrowed ? whole : answer).data?.total;
  const [done, setDone] = useState<string | null>(null);

  // Asked anew only once this screen is left: the guard around it would send them to Login while the next one still loads.
  const steppedDown = useRef(false);
  useEffect(
    () => () => {
      if (steppedDown.current) dispatch(invalidateTags(['Role']));
    },
    [dispatch],
  );

  const onTaken = ({ email }: User) => {
    if (email !== user?.email) {
      setDone(messages.removeAdmin.done(email));
      dispatch(invalidateTags(['Account']));
      return;
    }
    // This screen is closed to them from now on.
    steppedDown.current = true;
    navigate(paths.profile, { replace: true });
    notify.success(messages.removeAdmin.ownDone);
  };
  const onRemoved = ({ email }: User) => setDone(messages.remove.done(email));

  return (
    <>
      <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">{messages.heading(total)}</h1>
      {done && (
        <PersistentAlert tone="success" onDismiss={() => setDone(null)}>
          {done}
        </PersistentAlert>
      )}
      <ListBar
        address={address}
        searches={messages.search}
        filter={{ label: messages.filter, options: messages.filters }}
        sorts={messages.sorts}
      />
      <PagedList
        pages={address}
        answer={answer}
        labels={messages.labels}
        skeleton={<TableSkeleton label={messages.loading} />}
        nothing={<Empty title={messages.empty}>{messages.emptyHint}</Empty>}
      >
        {(accounts, offset) => (
          <DataTable
            caption={messages.caption}
            columns={columnsFor(address, user?.email, { onTaken, onRemoved })}
            rows={accounts}
            rowKey={(account) => account._id}
            offset={offset}
          />
        )}
      </PagedList>
    </>
  );
}
