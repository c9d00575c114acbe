import { useEffect, useRef, useState } from 'react';
import { useDebounced } from './use-debounced';

/** Milliseconds of rest after which a typed search counts as meant. */
const TYPING_PAUSE = 300;

/**
 * The text of a search box whose value stands somewhere else, as in the address. Typing leads once it rests; whatever
 * changes the value from outside (Back, a reset) leads the box.
 */
export function useTypedSearch(current: string, onSearch: (search: string) => void) {
  const [text, setText] = useState(current);
  const settled = useDebounced(text, TYPING_PAUSE);
  const written = useRef(current);
  // A new one with every address: were it waited for, a reset would be searched over by what was typed before it.
  const search = useRef(onSearch);
  useEffect(() => {
    search.current = onSearch;
  });

  useEffect(() => {
    if (current !== written.current) {
      written.current = current;
      setText(current);
    }
  }, [current]);

  useEffect(() => {
    const meant = settled.trim();
    if (meant === written.current || settled !== text) return;
    written.current = meant;
    search.current(meant);
  }, [settled, text]);

  return { text, setText };
}
