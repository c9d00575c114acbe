/** How long after a question the list may take to change. */
const PATIENCE = 10_000;

const usable = (element: HTMLElement) => element.isConnected && !element.matches(':disabled');

/** What holds a list's row, be it of a table or of cards. */
const rowOf = (element: HTMLElement) => element.closest('tr, li');

/**
 * Remembers where in its list a button is, and answers what gives the keyboard its place back once the question is over: to
 * the button, or, as soon as that is gone or off, to the row that has come in its place, else to the page's heading.
 */
export function keepPlace(button: HTMLElement): () => void {
  const row = rowOf(button);
  const list = row?.parentElement;
  const place = row && list ? Array.from(list.children).indexOf(row) : -1;

  const focusRow = () => {
    const rows = list?.isConnected ? list.children : undefined;
    const next = rows?.[Math.min(place, rows.length - 1)];
    const control = next?.querySelector<HTMLElement>('a[href], button:enabled');
    const target = control ?? document.querySelector<HTMLElement>('main h1');
    if (target && target !== control) target.tabIndex = -1;
    target?.focus();
  };

  return () => {
    if (!usable(button)) return focusRow();
    button.focus();
    const observer = new MutationObserver(() => {
      const { activeElement, body } = document;
      if (activeElement === button && usable(button)) return;
      observer.disconnect();
      if (activeElement === body || activeElement === button) focusRow();
    });
    observer.observe(document.body, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['disabled'],
    });
    setTimeout(() => observer.disconnect(), PATIENCE);
  };
}
