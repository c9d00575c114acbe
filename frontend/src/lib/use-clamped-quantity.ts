import { useCallback, useEffect, useRef, useState } from 'react';
import { quantityAdjusted } from './messages';

/** Milliseconds after the last key before a quantity is moved into its range (spec, section 5). */
export const CLAMP_DELAY = 1500;

/** The nearest whole number of the range; what is no number is the minimum. */
export function clampQuantity(text: string, min: number, max: number): number {
  const requested = Math.trunc(Number(text));
  if (text.trim() === '' || !Number.isFinite(requested)) return min;
  return Math.min(Math.max(requested, min), Math.max(min, max));
}

/** Says what a quantity was changed to, and why; a fraction that was dropped has no reason. */
function sayAdjusted(typed: string, quantity: number): string {
  const requested = Math.trunc(Number(typed));
  if (requested === quantity) return quantityAdjusted(quantity, null);
  return quantityAdjusted(quantity, requested > quantity ? 'stock' : 'minimum');
}

export interface ClampedQuantity {
  /** What stands in the input, as typed. */
  text: string;
  /** The quantity it means now: clamped, so that a price beside it is always one that could be ordered. */
  quantity: number;
  /** A sentence for a polite live region after a correction, else empty. */
  announcement: string;
  change: (text: string) => void;
  /** Clamps at once and answers the quantity: for blur and submit. */
  settle: () => number;
  reset: () => void;
}

/**
 * A number input that puts itself in order: 1.5 s after the last key, and at once on blur and on submit. It begins with
 * `initial`, moved into the range, where an earlier quantity is taken up again, else with the minimum.
 */
export function useClampedQuantity(
  min: number,
  max: number,
  initial = String(min),
): ClampedQuantity {
  const [begin] = useState(() => String(clampQuantity(initial, min, max)));
  const [text, setText] = useState(begin);
  const [announcement, setAnnouncement] = useState(() =>
    begin === initial ? '' : sayAdjusted(initial, Number(begin)),
  );
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const latest = useRef(text);
  latest.current = text;

  const settle = useCallback(() => {
    clearTimeout(timer.current);
    const quantity = clampQuantity(latest.current, min, max);
    const settled = String(quantity);
    if (settled !== latest.current) {
      setAnnouncement(sayAdjusted(latest.current, quantity));
      latest.current = settled;
      setText(settled);
    }
    return quantity;
  }, [min, max]);

  const change = useCallback(
    (next: string) => {
      clearTimeout(timer.current);
      latest.current = next;
      setText(next);
      setAnnouncement('');
      timer.current = setTimeout(settle, CLAMP_DELAY);
    },
    [settle],
  );

  const reset = useCallback(() => {
    clearTimeout(timer.current);
    latest.current = String(min);
    setText(String(min));
    setAnnouncement('');
  }, [min]);

  useEffect(() => () => clearTimeout(timer.current), []);

  return { text, quantity: clampQuantity(text, min, max), announcement, change, settle, reset };
}
