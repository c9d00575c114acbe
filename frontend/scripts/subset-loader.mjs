/*
 * A webpack loader that cuts a font down to the characters of `options.keep`, ranges as in CSS's `unicode-range`, and to what
 * the shop does with them. Such a font fits the ten packets that a server may send before it hears from the browser (RFC
 * 6928); with the fractions, superiors and alternates that nothing here asks for it would not.
 */
import subsetFont from 'subset-font';

export const raw = true;

/** Kerning, ligatures and what glyphs are composed with; figures of one width for tables. */
const FEATURES = ['kern', 'liga', 'calt', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum'];

function characters(ranges) {
  return ranges
    .split(',')
    .flatMap((range) => {
      const [first, last = first] = range.trim().slice(2).split('-');
      const from = Number.parseInt(first, 16);
      const count = Number.parseInt(last, 16) - from + 1;
      return Array.from({ length: count }, (_, index) => String.fromCodePoint(from + index));
    })
    .join('');
}

export default function subset(font) {
  const done = this.async();
  subsetFont(font, characters(this.getOptions().keep), {
    targetFormat: 'woff2',
    keepFeatures: FEATURES,
  }).then((small) => done(null, small), done);
}
