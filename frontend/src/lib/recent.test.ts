import { describe, expect, it } from 'vitest';
import { readRecent, remember } from './recent';
import { removeDrafts } from './tab-storage';

const place = (to: string) => ({ to, label: `Part ${to}` });

describe('what somebody came to last', () => {
  it('stands newest first, each once, and only the last eight', () => {
    for (let count = 1; count <= 9; count += 1)
      remember('parts', 'a@x.example', place(`/${count}`));
    remember('parts', 'a@x.example', place('/5'));
    const places = readRecent('parts', 'a@x.example').map(({ to }) => to);
    expect(places).toEqual(['/5', '/9', '/8', '/7', '/6', '/4', '/3', '/2']);
  });

  it('is shown to nobody else, and goes when somebody signs out', () => {
    remember('parts', 'a@x.example', place('/1'));
    expect(readRecent('parts', 'b@x.example')).toEqual([]);
    expect(readRecent('other', 'a@x.example')).toEqual([]);
    removeDrafts();
    expect(readRecent('parts', 'a@x.example')).toEqual([]);
  });

  it.each([
    'no JSON',
    '{"of":"a@x.example"}',
    '{"of":"a@x.example","places":[{"to":"//elsewhere.example","label":"x"},{"to":"/1"},null]}',
  ])('is nothing where something else was kept: %s', (kept) => {
    localStorage.setItem('recent:parts', kept);
    expect(readRecent('parts', 'a@x.example')).toEqual([]);
  });
});
