import { useCallback, useState } from 'react';
import type { ProductSort } from '@/api/types';
import { useDebounced } from '@/lib/use-debounced';

/** Rows of one page of Manage Products. */
export const PAGE_SIZE = 20;

const TYPING_PAUSE = 300;

/**
 * What is asked of the shop: words, order, page. A page begins where the one before ended, so the way back is the list
 * of ends that led here; another word or another order begins at the first page again.
 */
export function useShelf() {
  const [text, setText] = useState('');
  const [sort, setSort] = useState<ProductSort>('newest');
  const q = useDebounced(text.trim(), TYPING_PAUSE);
  const question = `${sort} ${q}`;
  const [trail, setTrail] = useState<{ question: string; cursors: string[] }>({
    question,
    cursors: [],
  });
  const cursors = trail.question === question ? trail.cursors : [];

  const cursor = cursors.at(-1);

  const forward = (cursor: string) => setTrail({ question, cursors: [...cursors, cursor] });
  const back = () => setTrail({ question, cursors: cursors.slice(0, -1) });
  const clear = useCallback(() => setText(''), []);

  return {
    text,
    setText,
    setSort,
    forward,
    back,
    clear,
    page: cursors.length,
    shelf: { limit: PAGE_SIZE, sort, ...(q ? { q } : {}), ...(cursor ? { cursor } : {}) },
  };
}
