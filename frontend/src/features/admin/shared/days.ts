import { formatDay } from '@/lib/dates';
import { messages } from './messages';

/** `2026-11-26` or a moment of that day in words. At noon, so that no time zone makes another day of it. */
export const dayIn = (day: string | null | undefined) =>
  day ? formatDay(`${day.slice(0, 10)}T12:00:00`) : null;

interface Validity {
  validFrom?: string | null;
  validUntil?: string | null;
}

/** From when to when something is valid, in words. */
export const validityOf = ({ validFrom, validUntil }: Validity) =>
  messages.validity(dayIn(validFrom), dayIn(validUntil));
