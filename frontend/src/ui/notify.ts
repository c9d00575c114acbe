/*
 * Toasts without their library in the first page: a message waits here until the library, loaded at the first message,
 * takes it.
 */

export interface Notice {
  tone: 'success' | 'error' | 'info';
  text: string;
}

let waiting: Notice[] = [];
let wake: (() => void) | null = null;

function push(tone: Notice['tone'], text: string): void {
  waiting.push({ tone, text });
  wake?.();
}

/** Shows a toast, top right, for five seconds. Close a dialog first: a modal lies above it. */
export const notify = {
  success: (text: string) => push('success', text),
  error: (text: string) => push('error', text),
  info: (text: string) => push('info', text),
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
