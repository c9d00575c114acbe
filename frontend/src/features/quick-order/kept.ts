import { DRAFTS, readStored, removeStored, store } from '@/lib/tab-storage';
import { type Row, rowsOf } from './rows';
import type { CheckedRow } from './wire';

/* A list outlives a reload: what was typed, and what was made of it. It is shown to nobody but who typed it. */

const NAME = `${DRAFTS}quick-order`;

export interface Kept {
  text: string;
  rows: Row[] | null;
  /** It was an order once. */
  reordered?: boolean;
}

function isRow(value: unknown): value is CheckedRow {
  if (typeof value !== 'object' || value === null) return false;
  const { text, status, line } = value as Record<string, unknown>;
  return typeof text === 'string' && typeof status === 'string' && typeof line === 'number';
}

export function readKept(owner: string): Kept | null {
  const kept = readStored(NAME);
  if (typeof kept !== 'object' || kept === null) return null;
  const { of, text, rows, reordered } = kept as Record<string, unknown>;
  if (of !== owner || typeof text !== 'string') return null;
  return {
    text,
    rows: Array.isArray(rows) ? rowsOf(rows.filter(isRow)) : null,
    reordered: reordered === true,
  };
}

export function keep(owner: string, { text, rows, reordered = false }: Kept): void {
  if (text === '' && rows === null) removeStored(NAME);
  else store(NAME, { of: owner, text, rows, reordered });
}

/** Lays an earlier order out for Quick order to show. */
export function keepReorder(owner: string, rows: readonly CheckedRow[]): void {
  keep(owner, { text: '', rows: rowsOf(rows), reordered: true });
}
