import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { OrderFacts } from '@/features/orders/components/order-facts';
import { formatTime } from '@/lib/dates';
import { formatCount } from '@/lib/money';
import { Badge } from '@/ui/badge';
import { cx } from '@/ui/cx';
import { auditPath } from '../address';
import { pageAbout } from '../links';
import { messages } from '../messages';
import { valuesOf } from '../values';
import type { AuditEntry as Entry } from '../wire';

const tones = { added: 'success', changed: 'accent', removed: 'error', done: 'neutral' } as const;

const kindNames: Readonly<Record<string, string>> = messages.kinds;

/** What was, and what is. On a phone each field is a small card of its own. */
function Values({ entry }: { entry: Entry }) {
  const values = valuesOf(entry);
  if (entry.change === 'done' && values.length === 0) {
    return entry.kind === 'export' ? <p className="text-muted">{messages.none}</p> : null;
  }
  const hasBefore = entry.change === 'changed' || entry.change === 'removed';
  const hasAfter = entry.change !== 'removed';
  const afterName = entry.kind === 'export' ? messages.asked : messages.after;
  const cell = 'px-3 py-2 align-top whitespace-pre-line wrap-anywhere xs:px-4';
  return (
    <div className="overflow-hidden rounded-field border border-base-300">
      <table style={{ tableLayout: 'fixed' }} className="w-full border-collapse text-left text-sm">
        <caption className="sr-only">{messages.values(entry.number)}</caption>
        <thead className="bg-base-200">
          <tr>
            {[messages.field, hasBefore && messages.before, hasAfter && afterName].map(
              (header) =>
                header && (
                  <th key={header} scope="col" className="px-3 py-2 font-semibold xs:px-4">
                    {header}
                  </th>
                ),
            )}
          </tr>
        </thead>
        <tbody>
          {values.map(({ name, before, after, differs }) => (
            <tr key={name} className="border-t border-base-300">
              <th scope="row" className={cx(cell, 'font-normal text-muted')}>
                {name}
              </th>
              {hasBefore && <td className={cell}>{before}</td>}
              {hasAfter && (
                <td className={cx(cell, hasBefore && differs && 'font-semibold')}>{after}</td>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Details({ entry }: { entry: Entry }) {
  const page = pageAbout(entry);
  const about = entry.target ?? entry.parent;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 border-t border-base-300 p-4 sm:p-6">
      <Values entry={entry} />
      {(page || about) && (
        <p className="flex flex-wrap gap-x-6">
          {page && (
            <Link to={page.to} className="link-accent inline-flex min-h-11 items-center">
              {page.label}
            </Link>
          )}
          {about && (
            <Link to={auditPath(about)} className="link-accent inline-flex min-h-11 items-center">
              {messages.more}
            </Link>
          )}
        </p>
      )}
      <OrderFacts
        facts={[
          { name: messages.operation, value: entry.operation },
          { name: messages.request, value: `${entry.method} ${entry.route}` },
          ...(entry.target ? [{ name: messages.id, value: entry.target }] : []),
          ...(entry.parent ? [{ name: messages.belongsTo, value: entry.parent }] : []),
          { name: messages.address, value: entry.clientAddress },
          { name: messages.requestId, value: entry.requestId },
          { name: messages.client, value: entry.userAgent ?? messages.nothing, long: true },
          { name: messages.hash, value: entry.hash, long: true },
        ]}
      />
    </div>
  );
}

/** One entry: what happened, and behind it the values, from where, and the hash. */
export function AuditEntry({ entry }: { entry: Entry }) {
  const [open, setOpen] = useState(false);
  const { number, at, email, kind, change, operation } = entry;
  return (
    <details
      onToggle={(event) => setOpen(event.currentTarget.open)}
      className="card-surface group overflow-hidden"
    >
      <summary className="flex min-h-11 cursor-pointer list-none items-center gap-x-4 gap-y-1 p-4 hover:bg-base-200 sm:px-6 [&::-webkit-details-marker]:hidden">
        <span className="grid min-w-0 flex-1 items-center gap-x-4 gap-y-1 xl:grid-cols-[minmax(0,1fr)_13rem_13rem]">
          <span className="flex flex-wrap items-center gap-3">
            <Badge tone={tones[change]}>{messages.changes[change]}</Badge>
            <span className="font-semibold wrap-anywhere">{kindNames[kind] ?? kind}</span>
            <span className="text-sm wrap-anywhere text-muted">{operation}</span>
          </span>
          <span className="text-sm wrap-anywhere text-muted">{email}</span>
          <span className="flex flex-wrap justify-between gap-x-4 text-sm text-muted tabular-nums">
            <time dateTime={at}>{formatTime(at)}</time>
            <span>#{formatCount(number)}</span>
          </span>
        </span>
        <ChevronDown
          aria-hidden="true"
          className="size-5 shrink-0 text-muted transition-transform group-open:rotate-180"
        />
      </summary>
      {open && <Details entry={entry} />}
    </details>
  );
}
