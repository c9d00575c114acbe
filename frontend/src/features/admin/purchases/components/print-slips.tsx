import { Printer } from 'lucide-react';
import { problemOf } from '@/api/problem';
import { useDownloadDocumentMutation } from '@/features/documents/api';
import { Button } from '@/ui/button';
import { notify } from '@/ui/notify';
import { messages } from '../messages';
import type { ListedPurchase } from '../wire';

/** Purchases that somebody still has to pack: those that may ship, and have lines that have not. */
export function toPack(purchases: readonly ListedPurchase[]): readonly ListedPurchase[] {
  return purchases.filter(({ state, standing, shipped }) => state === 'paid' && shipped < standing);
}

/** The packing slips of what this page lists and is to be packed, as one file. */
export function PrintSlips({ purchases }: { purchases: readonly ListedPurchase[] }) {
  const [save, { isLoading }] = useDownloadDocumentMutation();
  const packed = toPack(purchases);
  const print = async () => {
    const ids = packed.map(({ _id }) => _id).join(',');
    const { error } = await save(`/allCheckouts/packing-slips.pdf?ids=${encodeURIComponent(ids)}`);
    if (error) notify.error(messages.slipsFailed(problemOf(error).message));
  };
  return (
    <Button
      data-commands
      variant="outline"
      busy={isLoading}
      disabled={packed.length === 0}
      onClick={() => void print()}
    >
      {!isLoading && <Printer aria-hidden="true" className="size-5" />}
      {messages.slips(packed.length)}
    </Button>
  );
}
