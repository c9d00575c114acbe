import { CircleAlert, Info } from 'lucide-react';
import type { ReactNode } from 'react';
import { cx } from '@/ui/cx';
import { basketMessages as messages } from '../messages';
import type { BasketLine } from '../use-basket';
import { isInOrder, useBasketChanges } from '../use-basket';

const small = 'btn btn-outline';

/** The way out of a line's trouble. */
function Remedy({ line }: { line: BasketLine }): ReactNode {
  const changes = useBasketChanges();
  const { productId, status, total, quantity, available, minOrder, replacedBy } = line;
  if (status === 'moved' && total !== null) {
    return (
      <button
        type="button"
        className={small}
        onClick={() => void changes.acceptPrice(productId, total)}
      >
        {messages.acceptPrice(total)}
      </button>
    );
  }
  const possible = Math.min(Math.max(quantity, minOrder), available);
  if (status === 'adjusted' && possible >= minOrder && possible !== quantity) {
    return (
      <button
        type="button"
        className={small}
        onClick={() => void changes.setQuantity(productId, possible)}
      >
        {messages.lowerTo(possible)}
      </button>
    );
  }
  if (status === 'replaced' && replacedBy) {
    const by = typeof replacedBy === 'string' ? { productId: replacedBy } : replacedBy;
    if (by.productId === productId) return null;
    return (
      <button
        type="button"
        className={small}
        onClick={() => void changes.replace(productId, by.productId)}
      >
        {messages.takeReplacement(by.partNumber ?? by.name ?? messages.replacement)}
      </button>
    );
  }
  return null;
}

/** What is in the way of a line, in words, and the way out of it. */
export function LineProblem({ line, id }: { line: BasketLine; id: string }) {
  if (line.status === 'ok') return null;
  const warns = !isInOrder(line.status);
  const Icon = warns ? CircleAlert : Info;
  return (
    <div id={id} className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <p className={cx('flex gap-2 text-sm', warns ? 'text-warning' : 'text-info')}>
        <Icon aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
        <span>
          <strong className="font-semibold">{messages.status[line.status]}.</strong> {line.message}
        </span>
      </p>
      <Remedy line={line} />
    </div>
  );
}
