const formats = {
  /** `Fri` */
  weekday: new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'short' }),
  /** `Nov 20` */
  short: new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', month: 'short', day: 'numeric' }),
  /** `Fri, Nov 20, 2026` */
  full: new Intl.DateTimeFormat('en-US', {
    timeZone: 'UTC',
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    year: 'numeric',
  }),
};

/** A UTC day as the wire has it (`2026-11-20`), in words. */
export function formatUtcDay(day: string, length: keyof typeof formats): string {
  return formats[length].format(new Date(`${day}T00:00:00Z`));
}
