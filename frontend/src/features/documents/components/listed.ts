import { formatDay } from '@/lib/dates';
import { formatMoney } from '@/lib/money';
import { messages } from '../messages';
import type { IssuedDocument } from '../wire';

/** A document as lists show it: with its day and its total. */
export const listed = ({ _id: id, number, kind, url, issuedAt, total }: IssuedDocument) => ({
  id,
  number,
  kind,
  url,
  note: messages.issued(formatDay(issuedAt), formatMoney(total)),
});
