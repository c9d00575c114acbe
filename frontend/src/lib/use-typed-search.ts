import { useEffect, useRef, useState } from 'react';
import { useDebounced } from './use-debounced';

/** Milliseconds of rest after which a typed search counts as meant. */
const TYPING_PAUSE = 300;

/**
 * The text of a search box whose value stands somewhere else, as in the address. Typing leads once it rests; whatever
 * changes the value from outside (Back, a reset) leads the box. `onSearch` has to keep its identity.
 */
export function useTypedSearch(current: string, onSearch: (search: string) => void) {
  const [text, setText] = useState(current);
  const settled = useDebounced(text, TYPING_PAUSE);
  const written = useRef(current);

  useEffect(() => {
    if (current !== written.current) {
      written.current = current;
      setText(current);
    }
  }, [current]);

  useEffect(() => {
    const search = settled.trim();
    if (search === written.current || settled !== text) return;
    written.current = search;
    onSearch(search);
  }, [settled, text, onSearch]);

  return { text, setText };
}
