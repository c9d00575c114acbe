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

  it.each([
    ['Yearly service kit, petrol', 'Yearly service kit…'],
    ['Engine oil 0W-20, 5 liters', 'Engine oil 0W-20…'],
    ['Brake pads front - rear axle', 'Brake pads front…'],
  ])('drops spaces and punctuation before the ellipsis: %s', (name, cut) => {
    expect(truncate(name, CARD_NAME)).toBe(cut);
  });

  it('does not cut a character in half', () => {
    expect(truncate('🛞🛞🛞', 2)).toBe('🛞🛞…');
  });
});
