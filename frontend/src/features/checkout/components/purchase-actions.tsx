import { FileText, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { problemOf } from '@/api/problem';
import { useUser } from '@/features/accounts/session/use-session';
import { useDownloadDocumentMutation } from '@/features/documents/api';
import { useReorderPurchaseMutation } from '@/features/quick-order/api';
import { keepReorder } from '@/features/quick-order/kept';
import { buyingPaths } from '@/lib/buying-paths';
import { Button, ButtonLink } from '@/ui/button';
import { ConfirmedButton } from '@/ui/confirmed-button';
import { notify } from '@/ui/notify';
import { useCancelPurchaseMutation } from '../api';
import { isPayable, nameOf } from '../facts';
import { purchaseMessages as messages } from '../messages';
import type { DocumentLink, PurchaseSummary } from '../wire';

/** Lays the same parts out in Quick order, at today's prices: nothing is bought by it. */
function OrderAgain({ id, name }: { id: string; name: string }) {
  const user = useUser();
  const navigate = useNavigate();
  const [reorder, { isLoading }] = useReorderPurchaseMutation();
  const again = async () => {
    const { data, error } = await reorder(id);
    if (error) {
      notify.error(messages.againFailed(problemOf(error).message));
      return;
    }
    if (user) keepReorder(user.email, data.rows);
    navigate(buyingPaths.quickOrder);
  };
  return (
    <Button variant="outline" busy={isLoading} onClick={() => void again()}>
      {!isLoading && <RotateCw aria-hidden="true" className="size-4" />}
      {messages.again}
      <span className="sr-only"> {name}</span>
    </Button>
  );
}

type Acted = Pick<PurchaseSummary, '_id' | 'number' | 'state' | 'shipping'>;

interface PurchaseActionsProps {
  purchase: Acted;
  /** Dollars that are still to be paid, where that is known. */
  remaining?: number;
  onSaid: (said: string) => void;
}

/** What can be done about a purchase now. */
export function PurchaseActions({ purchase, remaining, onSaid }: PurchaseActionsProps) {
  const [cancel] = useCancelPurchaseMutation();
  const [deleted, setDeleted] = useState<number>();
  const { _id, state } = purchase;
  const name = nameOf(purchase);
  return (
    <>
      {isPayable(purchase) && (
        <ButtonLink data-commands to={buyingPaths.payPurchase(_id)}>
          {remaining === undefined ? messages.pay : messages.payAmount(remaining)}
          <span className="sr-only"> {name}</span>
        </ButtonLink>
      )}
      <OrderAgain id={_id} name={name} />
      {(state === 'unpaid' || state === 'waiting') && (
        <ConfirmedButton
          label={messages.cancel}
          context={name}
          question={messages.cancelQuestion(name)}
          note={messages.cancelNote}
          danger
          onConfirm={async () => {
            const answer = await cancel(_id);
            setDeleted(answer.data?.deletedCount);
            return answer;
          }}
          onDone={() =>
            onSaid(deleted === 0 ? messages.notCanceled(name) : messages.canceled(name))
          }
        />
      )}
    </>
  );
}

const nameOfDocument = ({ kind, number }: DocumentLink): string =>
  kind === 'credit' ? messages.document.credit(number) : messages.document.invoice(number);

/** What can be downloaded of a purchase. */
export function PurchaseDocuments({
  id,
  invoices,
}: {
  id: string;
  invoices: readonly DocumentLink[];
}) {
  const [save, { isLoading, originalArgs }] = useDownloadDocumentMutation();
  const base = `/checkouts/${encodeURIComponent(id)}`;
  const documents = [
    { url: `${base}/confirmation.pdf`, label: messages.document.confirmation },
    ...invoices.map((each) => ({
      url: each.url || `/invoices/${encodeURIComponent(each.id)}.pdf`,
      label: nameOfDocument(each),
    })),
    { url: `${base}/packing-slip.pdf`, label: messages.document.slip },
  ];
  const download = async (url: string) => {
    const { error } = await save(url);
    if (error) notify.error(messages.documentFailed(problemOf(error).message));
  };
  return (
    <ul aria-label={messages.documents} className="flex flex-wrap gap-2">
      {documents.map(({ url, label }) => (
        <li key={url}>
          <Button
            variant="outline"
            busy={isLoading && originalArgs === url}
            onClick={() => void download(url)}
          >
            {!(isLoading && originalArgs === url) && (
              <FileText aria-hidden="true" className="size-4" />
            )}
            {label}
          </Button>
        </li>
      ))}
    </ul>
  );
}
