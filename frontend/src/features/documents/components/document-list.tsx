import type { ReactNode } from 'react';
import { messages } from '../messages';
import { DocumentButton } from './document-button';

interface Listed {
  id: string | number;
  number: string;
  /** `invoice` or `credit`. */
  kind: string;
  url: string;
  /** What is said of it besides. */
  note?: ReactNode;
}

const xmlOf = (url: string) => url.replace(/\.pdf$/, '.xml');

/** Invoices and credit notes, each as a PDF for people and as XML for programs. */
export function DocumentList({ documents }: { documents: readonly Listed[] }) {
  if (documents.length === 0) return <p className="text-muted">{messages.none}</p>;
  return (
    <ul className="divide-y divide-base-300">
      {documents.map(({ id, number, kind, url, note }) => {
        const name = messages.kinds[kind === 'credit' ? 'credit' : 'invoice'](number);
        return (
          <li key={id} className="flex flex-wrap items-center justify-between gap-3 py-2">
            <div className="min-w-0 wrap-anywhere">
              <p className="font-semibold">{name}</p>
              {note && <p className="text-sm text-muted">{note}</p>}
            </div>
            <div className="flex flex-wrap gap-2">
              <DocumentButton url={url} label={messages.pdf} context={name} />
              {xmlOf(url) !== url && (
                <DocumentButton
                  url={xmlOf(url)}
                  label={messages.xml}
                  context={name}
                  variant="ghost"
                />
              )}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
