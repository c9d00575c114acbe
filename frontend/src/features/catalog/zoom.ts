/** How a picture lies behind its window: how much larger than it, and where its middle is, in pixels from the window's. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

/** As large as its window. */
export const WHOLE: View = { scale: 1, x: 0, y: 0 };
export const LARGEST = 4;

const within = (value: number, most: number) => Math.min(Math.max(value, -most), most) || 0;

/** The view with no side of the picture within the window. */
function kept({ scale, x, y }: View, { width, height }: Size): View {
  const rest = (scale - 1) / 2;
  return { scale, x: within(x, rest * width), y: within(y, rest * height) };
}

/** As much larger or smaller, about a point that stays where it is; the point is measured from the window's middle. */
export function zoomed(view: View, by: number, { x, y }: Point, size: Size): View {
  const scale = Math.min(Math.max(view.scale * by, 1), LARGEST);
  const grown = scale / view.scale;
  return kept({ scale, x: x - (x - view.x) * grown, y: y - (y - view.y) * grown }, size);
}

export function moved(view: View, { x, y }: Point, size: Size): View {
  return kept({ ...view, x: view.x + x, y: view.y + y }, size);
}

/** Whether a finger has wiped across: to the next picture, 1, or back, -1, or neither, 0. */
export function swiped(from: Point, to: Point): number {
  const [across, down] = [to.x - from.x, to.y - from.y];
  if (Math.abs(across) < 40 || Math.abs(across) < Math.abs(down) * 1.5) return 0;
  return across < 0 ? 1 : -1;
}
