import { messages } from './messages';
import type { AuditEntry, Columns } from './wire';

export interface Value {
  name: string;
  before: string;
  after: string;
  differs: boolean;
}

/** `price_cents` in words. */
const inWords = (column: string) => {
  const words = column.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A value as it is read: what is nested stays JSON. */
function shown(value: unknown): string {
  if (value === undefined || value === null) return messages.nothing;
  if (typeof value === 'boolean') return value ? messages.yes : messages.no;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The columns of an entry, those that differ first. */
export function valuesOf({ before, after }: AuditEntry): Value[] {
  const [was, is]: [Columns, Columns] = [before ?? {}, after ?? {}];
  const values = [...new Set([...Object.keys(was), ...Object.keys(is)])].map((name) => ({
    name: inWords(name),
    before: shown(was[name]),
    after: shown(is[name]),
    differs: shown(was[name]) !== shown(is[name]),
  }));
  return values.sort((one, other) => Number(other.differs) - Number(one.differs));
}
