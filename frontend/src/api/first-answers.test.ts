import { afterEach, describe, expect, it, vi } from 'vitest';
import { bring } from '@/testing/first-data';
import { takeFirstAnswer } from './first-answers';

afterEach(() => {
  // What a test left over must not serve the next one.
  bring([]);
  takeFirstAnswer({ url: '/nothing' });
});

describe('takeFirstAnswer', () => {
  it('serves one call with what the page brought, and leaves the next to the shop', () => {
    bring([
      { url: '/products?limit=4', body: ['disc'] },
      { url: '/reviews', body: ['good'] },
    ]);
    expect(takeFirstAnswer({ url: '/products', params: { limit: 4 } })?.body).toEqual(['disc']);
    expect(takeFirstAnswer({ url: '/products', params: { limit: 4 } })).toBeUndefined();
    expect(takeFirstAnswer({ url: '/reviews' })?.body).toEqual(['good']);
  });

  it('reads an address as it would be sent, without what is undefined', () => {
    bring([{ url: '/products?limit=48', body: [] }]);
    const params = { limit: 48, q: undefined, cursor: undefined };
    expect(takeFirstAnswer({ url: '/products', params })).toBeDefined();
  });

  it('has nothing for another query', () => {
    bring([{ url: '/products?limit=48', body: [] }]);
    expect(
      takeFirstAnswer({ url: '/products', params: { limit: 48, q: 'turbo' } }),
    ).toBeUndefined();
    expect(takeFirstAnswer({ url: '/products' })).toBeUndefined();
  });

  it('has nothing where the page is an old one, shown again on the way back', () => {
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([
      { type: 'back_forward' } as PerformanceNavigationTiming,
    ]);
    bring([{ url: '/reviews', body: ['old'] }]);
    expect(takeFirstAnswer({ url: '/reviews' })).toBeUndefined();
  });
});
