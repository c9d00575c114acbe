import { useEffect, useRef, useState } from 'react';
import { useDebounced } from './use-debounced';

/** Milliseconds of rest after which typed words count as meant. */
const TYPING_PAUSE = 300;

/**
 * The text of a search box whose words stand somewhere else, as in the address. Typing leads once it rests; whatever
 * changes the words from outside (Back, a reset) leads the box. `ask` has to keep its identity.
 */
export function useTypedSearch(asked: string, ask: (search: string) => void) {
  const [text, setText] = useState(asked);
  const settled = useDebounced(text, TYPING_PAUSE);
  const written = useRef(asked);

  useEffect(() => {
    if (asked !== written.current) {
      written.current = asked;
      setText(asked);
    }
  }, [asked]);

  useEffect(() => {
    const search = settled.trim();
    if (search === written.current || settled !== text) return;
    written.current = search;
    ask(search);
  }, [settled, text, ask]);

  return { text, setText };
}
