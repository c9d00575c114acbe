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

/**
 * Every browser that knows nested rules, which the styles are written in, knows `color-mix` too, and all but a few releases of
 * 2023 and 2024 know `@property`. What Tailwind writes for those that do not would cost every page its bytes.
 */
const noFallbacks = {
  postcssPlugin: 'no-fallbacks',
  OnceExit(root) {
    root.walkAtRules('layer', (layer) => {
      if (layer.params === 'properties' && layer.nodes) layer.remove();
    });
    root.walkAtRules('supports', (condition) => {
      if (condition.params !== '(color: color-mix(in lab, red, red))') return;
      condition.walkDecls(({ prop }) => {
        condition.parent.each((sibling) => {
          if (sibling.type === 'decl' && sibling.prop === prop) sibling.remove();
        });
      });
      condition.replaceWith(condition.nodes);
    });
  },
};

export default { plugins: [firstCharacters, tailwindcss(), noFallbacks] };
