import { formatCount } from '@/lib/money';

/* The words that all lists of admins share. A list names what it holds in one and in many: `['order', 'orders']`. */

export const messages = {
  rules: {
    required: (label: string) => `${label} is required`,
    number: (label: string) => `${label} must be a number`,
    whole: (label: string) => `${label} must be a whole number`,
    least: (least: string) => `Enter ${least} or more`,
    most: (most: string) => `Enter ${most} or less`,
    decimals: (most: number) => `Use at most ${most} decimals`,
    length: (most: number) => `Use at most ${formatCount(most)} characters`,
    day: (label: string) => `${label} must be a date`,
    lastDay: 'This is before the first day',
  },
  validity: (from: string | null, until: string | null) => {
    if (from && until) return `${from} – ${until}`;
    if (from) return `From ${from}`;
    return until ? `Until ${until}` : 'Always';
  },
  export: 'Export CSV',
  exportFailed: (why: string) => `Export failed. ${why}`,
  search: 'Search',
  sortBy: 'Sort by',
  failed: (many: string) => `We couldn't load the ${many}`,
  showAll: (many: string) => `Show all ${many}`,
  noneInView: (many: string) => `No ${many} in this view`,
  noMatch: (many: string) => `No ${many} match your search`,
  noMatchHint: (many: string) => `Clear the search and filters to see all ${many}.`,
  /** `hasMore`: there are more than these, and nobody counted them. */
  found: (
    total: number,
    [one, many]: readonly [string, string],
    narrowed: boolean,
    hasMore = false,
  ) =>
    `${hasMore ? 'more than ' : ''}${formatCount(total)} ${narrowed ? 'matching ' : ''}${total === 1 && !hasMore ? one : many}`,
  range: (first: number, last: number) => `${formatCount(first)}–${formatCount(last)} of `,
  period: 'Period',
  days: 'Days begin and end at midnight UTC.',
  from: 'From',
  to: 'To',
  pages: 'Pages',
  previous: 'Previous',
  firstPage: 'First page',
  next: 'Next',
  page: (page: number, count: number | null) =>
    `Page ${formatCount(page)}${count === null ? '' : ` of ${formatCount(count)}`}`,
} as const;
