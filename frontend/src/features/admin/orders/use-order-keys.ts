import { type RefObject, useEffect, useRef, useState } from 'react';

const STORED = 'orderKeys';
const OFF = 'off';

/** A browser that keeps nothing for the page has the keys on. */
function readEnabled(): boolean {
  try {
    return localStorage.getItem(STORED) !== OFF;
  } catch {
    return true;
  }
}

function storeEnabled(enabled: boolean): void {
  try {
    if (enabled) localStorage.removeItem(STORED);
    else localStorage.setItem(STORED, OFF);
  } catch {
    // The choice then lasts as long as the page.
  }
}

/** Whether a key belongs to the field that it is typed into. A checkbox takes none but the space bar. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    target.closest('input:not([type=checkbox]), textarea, select, [contenteditable]') !== null
  );
}

interface OrderKeys {
  /** The element that holds the cards, each an `article`. */
  list: RefObject<HTMLElement | null>;
  /** Asks to ship what is selected; false if nothing is. */
  shipSelected: () => boolean;
  /** Selects all of the page, or nothing if all of it is selected. */
  selectAll: () => void;
  onHelp: () => void;
}

/** What a key does; undefined for keys that do nothing here. */
function actionOf(key: string, { list, shipSelected, selectAll, onHelp }: OrderKeys) {
  const cards = Array.from(list.current?.querySelectorAll('article') ?? []);
  const at = cards.findIndex((card) => card.contains(document.activeElement));
  const focusCard = (place: number) => cards[place]?.querySelector<HTMLElement>('h2 a')?.focus();
  const press = (selector: string) => cards[at]?.querySelector<HTMLElement>(selector)?.click();
  const ship = () => {
    if (!shipSelected()) press('[data-ship] button:enabled');
    // Whoever asks by key answers by key: Enter is Yes. The question is drawn by then.
    setTimeout(() => document.querySelector<HTMLElement>('dialog[open] .btn-primary')?.focus());
  };
  const actions: Record<string, () => void> = {
    j: () => focusCard(Math.min(at + 1, cards.length - 1)),
    k: () => focusCard(Math.max(at - 1, 0)),
    s: ship,
    x: () => press('input[type=checkbox]'),
    a: selectAll,
    '?': onHelp,
  };
  return actions[key];
}

/** The keys of admin Orders, and whether they are on: single characters must be possible to switch off (WCAG 2.1.4). */
export function useOrderKeys(keys: OrderKeys) {
  const [enabled, setEnabled] = useState(readEnabled);
  const latest = useRef(keys);
  latest.current = keys;

  useEffect(() => {
    if (!enabled) return;
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      // A question has keys of its own.
      if (document.querySelector('dialog[open]')) return;
      const act = actionOf(event.key, latest.current);
      if (!act) return;
      event.preventDefault();
      act();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [enabled]);

  const choose = (on: boolean) => {
    storeEnabled(on);
    setEnabled(on);
  };
  return { enabled, choose };
}
