import { describe, expect, it } from 'vitest';
import { formatDay, formatTime } from './dates';

describe('dates', () => {
  const noon = new Date(2026, 2, 1, 12, 5).toISOString();

  it('are written with the month first, in the time zone of the reader', () => {
    expect(formatDay(noon)).toBe('Mar 1, 2026');
  });

  it('have the time after them where it matters', () => {
    expect(formatTime(noon)).toMatch(/^Mar 1, 2026, 12:05\sPM$/);
  });
});
