import { useGetAuditHeadQuery } from '../api';
import { messages } from '../messages';

/** The newest entry's number and hash, to be kept elsewhere. A list is there without it. */
export function AuditHead() {
  const { data } = useGetAuditHeadQuery(undefined, {
    refetchOnMountOrArgChange: true,
    refetchOnFocus: true,
  });
  if (!data || data.number === 0) return null;
  return (
    <aside aria-label={messages.head} className="card-surface mt-8 grid gap-2 p-4 sm:p-6">
      <h2 className="text-lg normal-case">{messages.head}</h2>
      <code className="text-sm wrap-anywhere">{`${data.number}:${data.hash}`}</code>
      <p className="max-w-prose text-sm text-muted">{messages.headHint}</p>
    </aside>
  );
}
