/*
 * What a visitor wants to order, kept in this browser until they log in. A browser that keeps nothing forgets; no error is
 * shown.
 */
import { useSyncExternalStore } from 'react';
import { totalOf } from './money';

/** A part and how many of it, with what was shown of it when it was added. */
export interface BasketItem {
  productId: string;
  quantity: number;
  /** Dollars for one unit. */
  unit: number;
  name: string;
  partNumber: string | null;
  img: string;
  minOrder: number;
  /** Units in stock. */
  available: number;
}

const NAME = 'basket';
/** As many lines as an order can have. */
export const MOST_LINES = 1_000;

const isCount = (value: unknown) => Number.isSafeInteger(value) && Number(value) >= 0;

function isItem(value: unknown): value is BasketItem {
  if (typeof value !== 'object' || value === null) return false;
  const { productId, quantity, unit, name, partNumber, img, minOrder, available } = value as Record<
    string,
    unknown
  >;
  return (
    typeof productId === 'string' &&
    isCount(quantity) &&
    typeof unit === 'number' &&
    typeof name === 'string' &&
    (partNumber === null || typeof partNumber === 'string') &&
    typeof img === 'string' &&
    isCount(minOrder) &&
    isCount(available)
  );
}

function stored(): string {
  try {
    return localStorage.getItem(NAME) ?? '[]';
  } catch {
    return '[]';
  }
}

export function readBasket(text = stored()): BasketItem[] {
  try {
    const kept: unknown = JSON.parse(text);
    return Array.isArray(kept) ? kept.filter(isItem).slice(0, MOST_LINES) : [];
  } catch {
    return [];
  }
}

const listeners = new Set<() => void>();

export function writeBasket(items: readonly BasketItem[]): void {
  try {
    if (items.length === 0) localStorage.removeItem(NAME);
    else localStorage.setItem(NAME, JSON.stringify(items.slice(0, MOST_LINES)));
  } catch {
    // It is then not remembered.
  }
  for (const listener of listeners) listener();
}

/** The same lines with these added; a part that is among them already gets more units, at what it costs now. */
export function withAdded<Line extends { productId: string; quantity: number }>(
  lines: readonly Line[],
  added: readonly Line[],
): Line[] {
  const all = new Map(lines.map((line) => [line.productId, line]));
  for (const line of added) {
    const before = all.get(line.productId);
    const quantity = line.quantity + (before?.quantity ?? 0);
    all.set(line.productId, { ...before, ...line, quantity });
  }
  return [...all.values()];
}

/** What a visitor was shown for a line's units, in dollars. */
export const shownFor = ({ unit, quantity }: Pick<BasketItem, 'unit' | 'quantity'>) =>
  totalOf(unit, quantity);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab of this browser has the same basket.
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}

/** The visitor's basket as it is now. */
export function useVisitorBasket(): BasketItem[] {
  return readBasket(useSyncExternalStore(subscribe, stored, () => '[]'));
}
