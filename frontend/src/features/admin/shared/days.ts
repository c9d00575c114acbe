import { formatDay } from '@/lib/dates';
import { messages } from './messages';

type Given = string | null | undefined;

/** The first day of something that begins on a day or at a moment (RFC 3339): a day begins at midnight UTC. */
export const firstDay = (from: Given) => from?.slice(0, 10) ?? '';

/** Its last day: what ends at a moment no longer applies then, so that a midnight is the end of the day before. */
export function lastDayOf(until: Given): string {
  if (!until?.includes('T')) return until ?? '';
  return new Date(Date.parse(until) - 1).toISOString().slice(0, 10);
}

/** `2026-11-26` in words. At noon, so that no time zone makes another day of it. */
const inWords = (day: string) => (day ? formatDay(`${day}T12:00:00`) : null);

interface Validity {
  validFrom?: string | null;
  validUntil?: string | null;
}

/** From when to when something is valid, in words. */
export const validityOf = ({ validFrom, validUntil }: Validity) =>
  messages.validity(inWords(firstDay(validFrom)), inWords(lastDayOf(validUntil)));
