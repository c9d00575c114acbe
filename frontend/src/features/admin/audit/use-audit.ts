import {
  type ListAddress,
  type ListKind,
  PAGE_SIZE,
  useListAddress,
} from '../shared/use-list-address';
import { useListAuditEntriesQuery } from './api';
import { type AuditKind, type AuditQuery, auditKinds } from './wire';

const kind: ListKind<'newest', 'kind', AuditKind> = {
  sorts: ['newest'],
  param: 'kind',
  filters: auditKinds,
  hasDays: true,
};

type Query = ListAddress<'newest', 'kind', AuditKind>['query'];

/** The midnight after a day, at which a period that ends with it is over. */
function midnightAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`);
  next.setUTCDate(next.getUTCDate() + 1);
  return next.toISOString();
}

/** What is typed is an admin's address if it looks like one, and the ID of what was changed otherwise. */
function wireQuery({ q, kind: what, from, to }: Query): AuditQuery {
  return {
    ...(q ? { [q.includes('@') ? 'email' : 'target']: q } : {}),
    ...(what ? { kind: what } : {}),
    ...(from ? { from: `${from}T00:00:00Z` } : {}),
    ...(to ? { until: midnightAfter(to) } : {}),
  };
}

/** A page of the trail as the address asks for it. */
export function useAudit() {
  const address = useListAddress(kind);
  const query = wireQuery(address.query);
  const { cursor } = address;
  const answer = useListAuditEntriesQuery(
    { ...query, limit: PAGE_SIZE, ...(cursor ? { cursor } : {}) },
    { refetchOnMountOrArgChange: true, refetchOnFocus: true },
  );
  return { address, query, answer };
}
