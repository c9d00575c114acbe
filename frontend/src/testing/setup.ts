import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';
import { takeNotices } from '@/ui/notify';
import { server } from './server';

// On a busy machine a screen may take its time; what never comes is still reported, by the test's own limit.
configure({ asyncUtilTimeout: 15_000 });

const unanswered: string[] = [];
server.events.on('request:unhandled', ({ request }) => {
  unanswered.push(`${request.method} ${request.url}`);
});

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
afterEach(() => {
  cleanup();
  const calls = unanswered.splice(0);
  if (calls.length > 0) throw new Error(`Calls that no handler answered: ${calls.join(', ')}`);
  server.resetHandlers();
  // Toasts that nobody took wait for the next one who looks.
  takeNotices();
  localStorage.clear();
  sessionStorage.clear();
  for (const cookie of document.cookie.split('; ')) {
    // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
    document.cookie = `${cookie.split('=')[0]}=; Max-Age=0; path=/`;
  }
});
afterAll(async () => {
  // A screen that looked ahead to another one's code may still be loading it. Cut off with its file, that import would
  // stay failed for all later files of this process.
  await vi.dynamicImportSettled();
  server.close();
});

// jsdom draws no dialogs; this much of the standard is enough for the components that use them.
const dialog = HTMLDialogElement.prototype;
if (!('showModal' in dialog)) {
  Object.assign(dialog, {
    showModal(this: HTMLDialogElement) {
      this.setAttribute('open', '');
    },
    close(this: HTMLDialogElement) {
      this.removeAttribute('open');
      this.dispatchEvent(new Event('close'));
    },
  });
}

if (!('scrollTo' in Element.prototype)) {
  Object.assign(Element.prototype, { scrollTo: () => undefined });
}
if (!('scrollIntoView' in Element.prototype)) {
  Object.assign(Element.prototype, { scrollIntoView: () => undefined });
}
window.scrollTo = () => undefined;

// Neither does it lay anything out: whatever is watched for stands on the screen.
class EverythingIsNear implements Pick<IntersectionObserver, 'observe' | 'disconnect'> {
  readonly #notify: IntersectionObserverCallback;
  constructor(notify: IntersectionObserverCallback) {
    this.#notify = notify;
  }
  observe(target: Element) {
    const seen = [{ target, isIntersecting: true }] as unknown as IntersectionObserverEntry[];
    queueMicrotask(() => this.#notify(seen, this as unknown as IntersectionObserver));
  }
  disconnect() {}
}
class NothingGrows implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
Object.assign(globalThis, {
  IntersectionObserver: EverythingIsNear,
  ResizeObserver: NothingGrows,
});
