import { describe, expect, it } from 'vitest';
import { CARD_NAME, truncate } from './truncate';

describe('truncate', () => {
  it('leaves a text that fits as it is', () => {
    expect(truncate('Brake disc', CARD_NAME)).toBe('Brake disc');
    expect(truncate('123456789012345678', CARD_NAME)).toBe('123456789012345678');
  });

  it('cuts one character too many and says so', () => {
    expect(truncate('1234567890123456789', CARD_NAME)).toBe('123456789012345678…');
  });

  it('does not cut a character in half', () => {
    expect(truncate('🛞🛞🛞', 2)).toBe('🛞🛞…');
  });
});
