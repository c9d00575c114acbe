import type { KeyboardEvent } from 'react';

/** For a search that leads by itself: Enter on a phone has only to take the keyboard away from over the results. */
export function closeKeyboard({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): void {
  if (key === 'Enter' && matchMedia('(pointer: coarse)').matches) currentTarget.blur();
}
