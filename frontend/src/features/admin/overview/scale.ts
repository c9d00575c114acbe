const STEPS = [1, 2, 2.5, 5, 10];
const LINES = 4;

/** Round values from 0 up to at least `highest`, four steps at most: what the lines behind the bars stand for. */
export function linesFor(highest: number): number[] {
  if (highest <= 0) return [0, 1];
  const rough = highest / LINES;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = magnitude * (STEPS.find((each) => each * magnitude >= rough) ?? 10);
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, place) => place * step);
}

/** Which of `count` days are named under the bars: each of a week, else whole weeks back from the last, five at most. */
export function namedDays(count: number): number[] {
  const step = count <= 7 ? 1 : Math.ceil(count / 5 / 7) * 7;
  return Array.from({ length: Math.ceil(count / step) }, (_, place) => count - 1 - place * step);
}
