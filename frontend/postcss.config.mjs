import tailwindcss from '@tailwindcss/postcss';
import { FIRST_CHARACTERS } from './scripts/first-characters.mjs';

/** CSS has no variables in `@font-face`: `unicode-range: first` stands for the characters that the small fonts hold. */
const firstCharacters = {
  postcssPlugin: 'first-characters',
  Once(root) {
    root.walkDecls('unicode-range', (range) => {
      if (range.value === 'first') range.value = FIRST_CHARACTERS;
    });
  },
};

export default { plugins: [firstCharacters, tailwindcss()] };
