import { useMemo, useState } from 'react';
import type { User } from '@/api/types';
import { Avatar } from '@/features/session/components/avatar';
import { useUser } from '@/features/session/use-session';
import { formatCount } from '@/lib/money';
import { usePageTitle } from '@/lib/use-page-title';
import { Badge } from '@/ui/badge';
import { Button } from '@/ui/button';
import { type Column, DataTable } from '@/ui/data-table';
import { Field } from '@/ui/field';
import { TableSkeleton } from '@/ui/skeleton';
import { StandingAlert } from '@/ui/standing-alert';
import { Empty, ErrorState } from '@/ui/states';
import { useGetPeopleQuery } from '../api';
import { MakeAdmin } from '../components/make-admin';
import { RemoveUser } from '../components/remove-user';

/** How many people stand on the page before somebody asks for more. */
export const PAGE = 50;

const isAdmin = (person: User) => person.role === 'admin';

function columnsFor(
  self: string | undefined,
  onRemoved: (person: User) => void,
): readonly Column<User>[] {
  return [
    { header: 'No.', cell: (_person, index) => index + 1 },
    {
      header: 'Email',
      cell: (person) => (
        <div className="flex min-w-0 items-center gap-3">
          <Avatar user={person} className="size-10 max-xs:hidden" />
          <div className="min-w-0">
            <p className="font-semibold break-all">{person.email}</p>
            <p className="text-sm break-words text-muted">{person.displayName}</p>
          </div>
        </div>
      ),
    },
    {
      header: 'Role',
      cell: (person) =>
        isAdmin(person) ? <Badge tone="accent">Admin</Badge> : <Badge>Customer</Badge>,
    },
    {
      header: 'Actions',
      cell: (person) => (
        <div className="flex flex-wrap items-center gap-2">
          {!isAdmin(person) && <MakeAdmin person={person} />}
          <RemoveUser person={person} self={person.email === self} onRemoved={onRemoved} />
        </div>
      ),
    },
  ];
}

function matches(person: User, query: string): boolean {
  const text = `${person.email}\n${person.displayName}\n${person.role}`.toLowerCase();
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

/** The shop answers everybody at once, so it is here that they are searched and shown a page at a time. */
function PeopleList({
  people,
  onRemoved,
}: {
  people: readonly User[];
  onRemoved: (person: User) => void;
}) {
  const user = useUser();
  const [query, setQuery] = useState('');
  const [shown, setShown] = useState(PAGE);
  const found = useMemo(
    () => people.filter((person) => matches(person, query.trim())),
    [people, query],
  );
  const search = (words: string) => {
    setQuery(words);
    setShown(PAGE);
  };

  return (
    <>
      <search className="mb-6 grid gap-4 sm:max-w-md">
        <Field label="Search">
          {(wiring) => (
            <input
              {...wiring}
              type="search"
              className="input"
              placeholder="E-mail, name or role"
              value={query}
              onChange={(event) => search(event.target.value)}
            />
          )}
        </Field>
        <p role="status" className="text-sm text-muted">
          {found.length === people.length
            ? 'Oldest account first.'
            : `${formatCount(found.length)} of ${formatCount(people.length)} match.`}
        </p>
      </search>
      {found.length === 0 ? (
        <Empty
          title="Nobody matches"
          action={
            <Button look="outline" onClick={() => search('')}>
              Show all users
            </Button>
          }
        >
          Try another word, or look at all of them.
        </Empty>
      ) : (
        <DataTable
          caption="All users"
          columns={columnsFor(user?.email, onRemoved)}
          rows={found.slice(0, shown)}
          rowKey={(person) => person._id}
        />
      )}
      {found.length > shown && (
        <div className="mt-6 grid justify-items-center">
          <Button look="outline" onClick={() => setShown(shown + PAGE)}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

export default function UsersPage() {
  usePageTitle('All Users');
  const { data, error, isError, isFetching, refetch } = useGetPeopleQuery(undefined, {
    refetchOnMountOrArgChange: true,
  });
  const [removed, setRemoved] = useState<User | null>(null);

  return (
    <>
      <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">
        All users{data ? `: ${formatCount(data.length)}` : ''}
      </h1>
      {removed && (
        <StandingAlert tone="success" onDismiss={() => setRemoved(null)}>
          {removed.email} is removed.
        </StandingAlert>
      )}
      {data ? (
        data.length === 0 ? (
          <Empty title="Nobody here yet">Whoever signs up will be listed here.</Empty>
        ) : (
          <PeopleList people={data} onRemoved={setRemoved} />
        )
      ) : isError && !isFetching ? (
        <ErrorState title="The users did not load" error={error} onRetry={refetch} />
      ) : (
        <TableSkeleton label="Loading users" />
      )}
    </>
  );
}
