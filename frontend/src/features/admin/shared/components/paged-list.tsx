import { type ReactNode, useEffect, useRef } from 'react';
import type { Page } from '@/api/page';
import type { CallError } from '@/api/problem';
import { Button } from '@/ui/button';
import { cx } from '@/ui/cx';
import { Empty } from '@/ui/empty';
import { ErrorState } from '@/ui/error-state';
import { messages } from '../messages';
import { type ListPages, PAGE_SIZE } from '../use-list-address';

/** As RTK Query answers for a page. */
interface Answer<Item> {
  data?: Page<Item> | undefined;
  currentData?: Page<Item> | undefined;
  error?: CallError | undefined;
  isError: boolean;
  isFetching: boolean;
  refetch: () => unknown;
}

interface PagedListProps<Item> {
  /** Where in the list this is. */
  pages: ListPages;
  answer: Answer<Item>;
  /** One of them and several in words: `['order', 'orders']`. */
  labels: readonly [string, string];
  skeleton: ReactNode;
  /** Instead of the list while the shop has none at all. */
  nothing: ReactNode;
  /** Draws them; `offset` is how many stand on the pages before. */
  children: (items: readonly Item[], offset: number) => ReactNode;
}

/** How far the shop counts what a list is narrowed to: a search of orders to the size of its page, others further. */
const COUNTED_UP_TO: readonly number[] = [PAGE_SIZE, 1000];

/** How many there are, and whether there are more than those, which nobody counted. The last page shows that no more follow. */
function countOf({ items, total, next }: Page<unknown>, offset: number, narrowed: boolean) {
  const shown = offset + items.length;
  if (!narrowed || !COUNTED_UP_TO.includes(total)) return { total, hasMore: false };
  if (next === null) return { total: Math.max(total, shown), hasMore: false };
  return { total: Math.max(total - 1, shown), hasMore: true };
}

/** A list's page in all its states, with the way to the other pages. */
export function PagedList<Item>({
  pages,
  answer,
  labels,
  skeleton,
  nothing,
  children,
}: PagedListProps<Item>) {
  const top = useRef<HTMLParagraphElement>(null);
  const { data, currentData, error, isError, isFetching, refetch } = answer;
  const [, many] = labels;

  // What was last on this page is gone: what is left stands on the page before.
  const emptied = currentData?.items.length === 0 && pages.page > 0;
  const goBack = useRef(pages.back);
  goBack.current = pages.back;
  useEffect(() => {
    if (emptied) goBack.current();
  }, [emptied]);

  // The last answer stays, dimmed and under its own numbers, while the next one loads.
  const page = currentData ?? (isError ? undefined : data);
  const shown = useRef(pages.page);
  if (currentData) shown.current = pages.page;
  if (!page || emptied) {
    if (!isError || isFetching) return skeleton;
    return (
      <div className="grid gap-4">
        <ErrorState title={messages.failed(many)} error={error} onRetry={refetch} />
        {pages.page > 0 && (
          <Button variant="outline" className="justify-self-center" onClick={pages.clear}>
            {messages.showAll(many)}
          </Button>
        )}
      </div>
    );
  }
  if (page.items.length === 0) {
    if (!pages.narrowed) return nothing;
    return (
      <Empty
        title={pages.searched ? messages.noMatch(many) : messages.noneInView(many)}
        action={
          <Button variant="outline" onClick={pages.clear}>
            {messages.showAll(many)}
          </Button>
        }
      >
        {messages.noMatchHint(many)}
      </Empty>
    );
  }

  const offset = shown.current * PAGE_SIZE;
  const { items, next } = page;
  const { total, hasMore } = countOf(page, offset, pages.narrowed);
  const turn = (move: () => void) => () => {
    // What stands here while the next page loads is still the old one, with the old way on.
    if (isFetching) return;
    move();
    // The buttons stand below the rows; the next page begins above them.
    top.current?.scrollIntoView({ block: 'center' });
    top.current?.focus({ preventScroll: true });
  };

  return (
    <div aria-busy={isFetching || undefined}>
      <p
        ref={top}
        role="status"
        tabIndex={-1}
        className="mb-4 w-fit text-sm text-muted focus-visible:outline-none"
      >
        {(items.length < total || hasMore) && messages.range(offset + 1, offset + items.length)}
        {messages.found(total, labels, pages.narrowed, hasMore)}
      </p>
      <div className={cx('transition-opacity', isFetching && 'opacity-60')}>
        {children(items, offset)}
      </div>
      {(pages.page > 0 || next !== null) && (
        <nav
          aria-label={messages.pages}
          className="mt-6 flex flex-wrap items-center justify-center gap-4"
        >
          <Button variant="outline" disabled={pages.page === 0} onClick={turn(pages.back)}>
            {pages.knowsWayBack ? messages.previous : messages.firstPage}
          </Button>
          <span>
            {messages.page(pages.page + 1, hasMore ? null : Math.ceil(total / PAGE_SIZE))}
          </span>
          <Button
            variant="outline"
            disabled={next === null}
            onClick={turn(() => next !== null && pages.forward(next))}
          >
            {messages.next}
          </Button>
        </nav>
      )}
    </div>
  );
}
