/* What a tab remembers past a reload. A browser that refuses storage forgets; no error is shown. */

/** What was kept under this name, whatever it is; null if nothing was, or if it cannot be read. */
export function readStored(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? 'null');
  } catch {
    return null;
  }
}

export function store(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // It then only lives as long as the page.
  }
}

export function removeStored(name: string): void {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // Nothing was kept.
  }
}

/** Where somebody was when they left for Google, to log in there. */
export const LEFT_FROM = 'google:from';

/** What the names of drafts begin with, and of what was come to last (lib/recent): they go when somebody signs out. */
export const DRAFTS = 'draft:';
export const RECENT = 'recent:';

export function removeDrafts(): void {
  try {
    for (const storage of [sessionStorage, localStorage]) {
      for (const name of Object.keys(storage)) {
        if (name.startsWith(DRAFTS) || name.startsWith(RECENT)) storage.removeItem(name);
      }
    }
  } catch {
    // Nothing was kept.
  }
}
