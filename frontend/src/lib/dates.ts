/* How moments are written everywhere: in US English, in the reader's own time zone. */

const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });
const time = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });

/** `2026-03-01T10:00:00Z` is `Mar 1, 2026`. */
export function formatDay(moment: string): string {
  return day.format(new Date(moment));
}

/** The same with the time: `Mar 1, 2026, 10:00 AM`. */
export function formatTime(moment: string): string {
  return time.format(new Date(moment));
}
