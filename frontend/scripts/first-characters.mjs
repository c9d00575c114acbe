/** What the shop's own words are written with, as CSS's `unicode-range`: the first paint waits for no other character. */
export const FIRST_CHARACTERS =
  'U+20-7E, U+A0, U+B0, U+B7, U+D7, U+2013, U+2018-2019, U+201C-201D, U+2026';
