/**
 * A part once around in one picture: steps of 4:3, side by side and row below row, and below them their shadows in one row,
 * each smaller than its step by the number of rows.
 */
export const COLUMNS = 6;
export const ROWS = 4;
export const STEPS = COLUMNS * ROWS;
/** Of the picture, in steps. */
export const HEIGHT = ROWS + 1 / ROWS;

const PICTURE = /^\/pictures\/parts\/([a-z0-9-]+)-\d+\.webp$/;

/** The pictures whose parts were rendered all around. */
export const turned: readonly string[] = ['alloy-17', 'brake-disc-312', 'turbo-20-diesel'];

/** Where the steps of a picture's part are, if there are any. */
export function turntableOf(img: string): string | null {
  const name = PICTURE.exec(img)?.[1];
  return name && turned.includes(name) ? `/pictures/turns/${name}.webp` : null;
}
