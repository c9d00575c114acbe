/** How a defect came to light. */
type Kind = 'error' | 'rejection' | 'render';

/** A page that fails over and over would only say the same again. */
const MOST = 5;

const reported = new Set<string>();
/** Which build this is: the name of the script that this code came with. */
const build =
  (document.currentScript as HTMLScriptElement | null)?.src.split('/').pop() || 'unknown';

/**
 * Tells the shop of a defect: on which page, what the browser says of it, and in which build. Whatever names somebody or
 * something stays here: of the path, parts with anything but small letters become `:id`, and its query is left out.
 */
export function reportDefect(kind: Kind, error: unknown): void {
  const message = String(error);
  // Whoever leaves a page breaks off what it was asking for.
  if (message.startsWith('AbortError') || reported.size === MOST || reported.has(message)) return;
  reported.add(message);
  const route = location.pathname.replace(/[^/]*[^a-z/-][^/]*/g, ':id').slice(0, 100);
  const report = JSON.stringify({ kind, route, message: message.slice(0, 300), build });
  navigator.sendBeacon?.('/client-errors', new Blob([report], { type: 'application/json' }));
}

/** Listens for what nothing else caught. An extension's script says nothing of itself and has no error. */
export function watchDefects(): void {
  addEventListener('error', ({ error }) => error && reportDefect('error', error));
  addEventListener('unhandledrejection', ({ reason }) => reportDefect('rejection', reason));
}
