import type { Overview } from '@/api/types';

type Days = Overview['days'];

/** What a number of days came to; amounts in dollars. */
export interface Period {
  days: Days;
  revenue: number;
  returned: number;
  orders: number;
  /** What an order came to on average; null without orders. */
  average: number | null;
}

/** Dollars are added as cents: a sum of fractions would be off by some. */
const dollars = (days: Days, amount: (day: Days[number]) => number) =>
  days.reduce((sum, day) => sum + Math.round(100 * amount(day)), 0) / 100;

function periodOf(days: Days): Period {
  const revenue = dollars(days, (day) => day.revenue);
  const orders = days.reduce((sum, day) => sum + day.orders, 0);
  return {
    days,
    revenue,
    returned: dollars(days, (day) => day.returned),
    orders,
    average: orders > 0 ? Math.round((100 * revenue) / orders) / 100 : null,
  };
}

/** The later half of the days, and the earlier half to compare it with. */
export function compare(days: Days): { now: Period; before: Period } {
  const half = days.length >> 1;
  return { now: periodOf(days.slice(half)), before: periodOf(days.slice(0, half)) };
}

/** How much more, in whole percent; null if there was nothing to compare with. */
export function change(now: number | null, before: number | null): number | null {
  if (now === null || before === null || before <= 0) return null;
  return Math.round((100 * (now - before)) / before);
}
