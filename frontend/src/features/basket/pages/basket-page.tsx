import { useUser } from '@/features/accounts/session/use-session';
import { SaveAsList } from '@/features/lists/components/save-as-list';
import { usePageTitle } from '@/lib/use-page-title';
import { Button } from '@/ui/button';
import { BasketContent, BasketSum } from '../components/basket-content';
import { BasketLines } from '../components/basket-lines';
import { basketMessages as messages } from '../messages';
import { type BasketLine, useRemoveLines } from '../use-basket';

function Lines({ lines }: { lines: readonly BasketLine[] }) {
  const user = useUser();
  const remove = useRemoveLines(lines);
  return (
    <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_21rem]">
      <section aria-label={messages.lines} className="card-surface px-4 sm:px-6">
        <BasketLines lines={lines} />
        <div className="flex flex-wrap justify-end gap-2 border-t border-base-300 py-3">
          {user && <SaveAsList lines={lines} variant="ghost" />}
          <Button
            variant="ghost"
            onClick={() => void remove(lines.map(({ productId }) => productId))}
          >
            {messages.clear}
          </Button>
        </div>
      </section>
      <section aria-label={messages.total} className="card-surface sticky top-20 p-4 sm:p-6">
        <BasketSum lines={lines} />
      </section>
    </div>
  );
}

/** What somebody is about to order: a visitor's too. */
export default function BasketPage() {
  usePageTitle(messages.title);
  return (
    <div className="shell py-8 lg:py-12">
      <h1 className="heading-mark mb-8 text-4xl sm:text-5xl">{messages.title}</h1>
      <BasketContent>{(lines) => <Lines lines={lines} />}</BasketContent>
    </div>
  );
}
