/*
 * What somebody came to last, kept in the browser for their next visit: for their account only, and only until they sign
 * out. A browser that keeps nothing forgets; no error is shown.
 */
import { RECENT } from './tab-storage';

/** A place that was come to: where it is, and what it is called. */
export interface Recent {
  to: string;
  label: string;
  detail?: string;
  img?: string;
}

/** The parts whose pages were looked at. */
export const VIEWED = 'viewed';

const MOST = 8;

function isRecent(value: unknown): value is Recent {
  if (typeof value !== 'object' || value === null) return false;
  const { to, label, detail, img } = value as Record<string, unknown>;
  const isText = (text: unknown) => text === undefined || typeof text === 'string';
  return (
    typeof to === 'string' &&
    /^\/(?!\/)/.test(to) &&
    typeof label === 'string' &&
    isText(detail) &&
    isText(img)
  );
}

/** What this account came to last, newest first. */
export function readRecent(kind: string, email: string): Recent[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(RECENT + kind) ?? 'null');
    const { of, places } = (kept ?? {}) as { of?: unknown; places?: unknown };
    return of === email && Array.isArray(places) ? places.filter(isRecent).slice(0, MOST) : [];
  } catch {
    return [];
  }
}

export function remember(kind: string, email: string, place: Recent): void {
  const others = readRecent(kind, email).filter(({ to }) => to !== place.to);
  try {
    const places = [place, ...others].slice(0, MOST);
    localStorage.setItem(RECENT + kind, JSON.stringify({ of: email, places }));
  } catch {
    // It is then not remembered.
  }
}
