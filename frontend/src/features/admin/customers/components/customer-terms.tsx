import { useListDocumentsQuery } from '@/features/documents/api';
import { DocumentList } from '@/features/documents/components/document-list';
import { listed } from '@/features/documents/components/listed';
import { messages as documentMessages } from '@/features/documents/messages';
import { Answered } from '@/ui/answered';
import { useListExemptionsQuery } from '../../tax/api';
import { AddExemption, ExemptionTable } from '../../tax/components/exemption-list';
import { messages as tax } from '../../tax/messages';
import { messages } from '../messages';

const { terms: text } = messages;
const section = 'grid grid-cols-[minmax(0,1fr)] gap-4';

function Exemptions({ email }: { email: string }) {
  const answer = useListExemptionsQuery(undefined, { refetchOnMountOrArgChange: true });
  return (
    <section aria-labelledby="exemptions" className={section}>
      <h2 id="exemptions" className="text-2xl">
        {text.exemptions}
      </h2>
      <Answered
        answer={answer}
        loading={tax.exemptions.loading}
        failed={tax.exemptions.failed}
        rows={1}
      >
        {(exemptions) => {
          const own = exemptions.filter((exemption) => exemption.email === email);
          if (own.length === 0) return <p className="text-muted">{text.noExemptions}</p>;
          return <ExemptionTable exemptions={own} named={false} />;
        }}
      </Answered>
      <AddExemption email={email} />
    </section>
  );
}

function Documents({ email }: { email: string }) {
  const answer = useListDocumentsQuery(email, { refetchOnMountOrArgChange: true });
  return (
    <section aria-labelledby="documents" className={section}>
      <h2 id="documents" className="text-2xl">
        {text.documents}
      </h2>
      <Answered
        answer={answer}
        loading={documentMessages.loading}
        failed={documentMessages.failed}
        rows={2}
      >
        {(documents) =>
          documents.length === 0 ? (
            <p className="text-muted">{text.noDocuments}</p>
          ) : (
            <div className="card-surface p-4 sm:p-6">
              <DocumentList documents={documents.map(listed)} />
            </div>
          )
        }
      </Answered>
    </section>
  );
}

/** What is particular to a customer: where they pay no tax, and what was issued to them. */
export function CustomerTerms({ email }: { email: string }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <Exemptions email={email} />
      <Documents email={email} />
    </div>
  );
}
