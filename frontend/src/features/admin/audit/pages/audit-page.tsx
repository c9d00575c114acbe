import { usePageTitle } from '@/lib/use-page-title';
import { Empty } from '@/ui/empty';
import { TableSkeleton } from '@/ui/table-skeleton';
import { ExportButton } from '../../shared/components/export-button';
import { ListBar } from '../../shared/components/list-bar';
import { PagedList } from '../../shared/components/paged-list';
import { Period } from '../../shared/components/period';
import { UNFILTERED } from '../../shared/use-list-address';
import { useExportAuditMutation } from '../api';
import { AuditEntry } from '../components/audit-entry';
import { AuditHead } from '../components/audit-head';
import { messages } from '../messages';
import { useAudit } from '../use-audit';

/** What admins changed, a page at a time. */
export default function AuditPage() {
  usePageTitle(messages.heading);
  const { address, query, answer } = useAudit();
  const [exportAudit, { isLoading }] = useExportAuditMutation();
  return (
    <>
      <div className="mb-4 grid justify-items-start gap-4 sm:flex sm:items-center sm:justify-between">
        <h1 className="heading-mark text-4xl sm:text-5xl">{messages.heading}</h1>
        <ExportButton busy={isLoading} onExport={() => exportAudit(query)} />
      </div>
      <p className="mb-6 max-w-prose text-muted">{messages.intro}</p>
      <ListBar
        address={address}
        searches={messages.search}
        filter={{
          label: messages.filter,
          options: { [UNFILTERED]: messages.all, ...messages.kinds },
        }}
      />
      <Period from={address.from} to={address.to} onChange={address.limitTo} />
      <PagedList
        pages={address}
        answer={answer}
        labels={messages.labels}
        skeleton={<TableSkeleton label={messages.loading} />}
        nothing={<Empty title={messages.empty}>{messages.emptyHint}</Empty>}
      >
        {(entries) => (
          <ul aria-label={messages.list} className="grid grid-cols-[minmax(0,1fr)] gap-3">
            {entries.map((entry) => (
              <li key={entry.number}>
                <AuditEntry entry={entry} />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      <AuditHead />
    </>
  );
}
