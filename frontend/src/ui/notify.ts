/*
 * Toasts without their library in the first page: a message waits here until the library, loaded at the first message,
 * takes it.
 */

export interface Notice {
  tone: 'success' | 'error' | 'info';
  text: string;
  /** Takes back what is said; the toast then offers it, and stays longer. */
  undo?: () => void;
}

let waiting: Notice[] = [];
let wake: (() => void) | null = null;

function push(notice: Notice): void {
  waiting.push(notice);
  wake?.();
}

/** Shows a toast, top right, for five seconds. Close a dialog first: a modal lies above it. */
export const notify = {
  success: (text: string) => push({ tone: 'success', text }),
  error: (text: string) => push({ tone: 'error', text }),
  info: (text: string) => push({ tone: 'info', text }),
  undoable: (text: string, undo: () => void) => push({ tone: 'success', text, undo }),
};

export function takeNotices(): Notice[] {
  const taken = waiting;
  waiting = [];
  return taken;
}

export function onNotice(listener: () => void): () => void {
  wake = listener;
  if (waiting.length > 0) listener();
  return () => {
    wake = null;
  };
}
