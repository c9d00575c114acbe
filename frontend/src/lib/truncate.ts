/** Lengths of the spec, section 9. */
export const CARD_NAME = 18;
export const CARD_DESCRIPTION = 90;
export const TABLE_NAME = 20;

/**
 * The first `length` characters, followed by an ellipsis only if there is more. Counts characters, never halves of one; a
 * comma or a dash before the ellipsis goes.
 */
export function truncate(text: string, length: number): string {
  const characters = Array.from(text);
  if (characters.length <= length) return text;
  return `${characters
    .slice(0, length)
    .join('')
    .replace(/[\s,.;:–—(/-]+$/, '')}…`;
}
