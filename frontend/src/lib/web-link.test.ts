import { describe, expect, it } from 'vitest';
import { webLink } from './web-link';

describe('web links', () => {
  it.each([
    ['https://github.com/casey', 'https://github.com/casey'],
    [' http://example.com/a?b=c ', 'http://example.com/a?b=c'],
    ['HTTPS://Example.com', 'https://example.com/'],
  ])('%s is one', (typed, link) => expect(webLink(typed)).toBe(link));

  it.each([
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,x',
    'github.com/casey',
    '//example.com',
    'https://exa mple.com',
    '',
    null,
    undefined,
  ])('%s is none', (typed) => expect(webLink(typed)).toBeNull());
});
