import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';

/** What of an order stands on paper. */
export type PaperKind = 'summary' | 'note';

/**
 * Which paper to draw: none until the browser prints, by its own command too. `print` prints the kind it is given; the
 * browser's own command prints the summary.
 */
export function usePrinting() {
  const [printing, setPrinting] = useState<PaperKind | null>(null);

  useEffect(() => {
    // Before the browser goes on, which would print the page as it is.
    const onBefore = () => flushSync(() => setPrinting((kind) => kind ?? 'summary'));
    const onAfter = () => setPrinting(null);
    const paper = window.matchMedia?.('print');
    const onMedia = () => (paper?.matches ? onBefore() : onAfter());
    addEventListener('beforeprint', onBefore);
    addEventListener('afterprint', onAfter);
    paper?.addEventListener('change', onMedia);
    return () => {
      removeEventListener('beforeprint', onBefore);
      removeEventListener('afterprint', onAfter);
      paper?.removeEventListener('change', onMedia);
    };
  }, []);

  const print = (kind: PaperKind) => {
    flushSync(() => setPrinting(kind));
    window.print();
  };
  return { printing, print };
}
