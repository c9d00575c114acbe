import { describe, expect, it } from 'vitest';
import { nextCursor } from './page';

describe('nextCursor', () => {
  it.each([
    [null, null],
    ['</products?limit=48&cursor=a%2Cb>; rel="next"', 'a,b'],
    ['</products?cursor=p>; rel="prev", </products?cursor=n>; rel=next', 'n'],
    ['</products?cursor=p>; rel="prev"', null],
  ])('reads %j as %j', (link, cursor) => expect(nextCursor(link)).toBe(cursor));
});
