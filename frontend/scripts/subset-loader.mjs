/*
 * A webpack loader that cuts a font down to the characters of `options.keep`, ranges as in CSS's `unicode-range`. What the
 * font can do with them (kerning, figures of one width) stays.
 */
import subsetFont from 'subset-font';

export const raw = true;

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
  subsetFont(font, characters(this.getOptions().keep), { targetFormat: 'woff2' }).then(
    (small) => done(null, small),
    done,
  );
}
