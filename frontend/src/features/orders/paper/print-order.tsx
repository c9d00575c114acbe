import { Printer } from 'lucide-react';
import { createPortal } from 'react-dom';
import type { Order } from '@/api/types';
import { useGetConfigQuery } from '@/features/accounts/session/api';
import { Button } from '@/ui/button';
import { messages } from './messages';
import { OrderPaper } from './order-paper';
import { type PaperKind, usePrinting } from './use-printing';

const labels: Record<PaperKind, string> = {
  summary: messages.printSummary,
  note: messages.printNote,
};

/** The buttons that print an order. Who sells is known by then, since paper cannot wait for it. */
export function PrintOrder({ order, kinds }: { order: Order; kinds: readonly PaperKind[] }) {
  const { data } = useGetConfigQuery();
  const { printing, print } = usePrinting();
  return (
    <>
      {kinds.map((kind) => (
        <Button key={kind} variant="ghost" onClick={() => print(kind)}>
          <Printer aria-hidden="true" className="size-4" />
          {labels[kind]}
        </Button>
      ))}
      {/* Beside the whole page, which stays off the paper. */}
      {printing &&
        createPortal(<OrderPaper order={order} kind={printing} shop={data?.shop} />, document.body)}
    </>
  );
}
