/**
 * Where a key leads in a list of `count` choices, of which the one at `place` is the active one; -1 is none of them: the text
 * that is typed. Null where the key is not the list's: Home and End belong to the text until a choice is active.
 */
export function placeAfter(key: string, place: number, count: number): number | null {
  if (count === 0) return null;
  switch (key) {
    case 'ArrowDown':
      return place + 1 < count ? place + 1 : -1;
    case 'ArrowUp':
      return place < 0 ? count - 1 : place - 1;
    case 'Home':
      return place < 0 ? null : 0;
    case 'End':
      return place < 0 ? null : count - 1;
    default:
      return null;
  }
}
