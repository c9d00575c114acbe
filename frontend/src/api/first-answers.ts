import type { FetchArgs } from '@reduxjs/toolkit/query';

/*
 * A page may bring the answers that its first screen would ask for, in <script type="application/json" id="first-data">.
 * Each serves one call; whoever asks again asks the shop.
 */

export interface FirstAnswer {
  /** What would have been asked: a path and a query. */
  url: string;
  headers: Record<string, string>;
  body: unknown;
}

let waiting: FirstAnswer[] = [];

/** On the way back in the history a browser may show a page as it was then, and its answers with it. */
function isOld(): boolean {
  const [visit] = performance.getEntriesByType?.('navigation') ?? [];
  return (visit as PerformanceNavigationTiming | undefined)?.type === 'back_forward';
}

function unpack(): void {
  const element = document.getElementById('first-data');
  if (!element) return;
  element.remove();
  if (!isOld()) waiting = JSON.parse(element.textContent) as FirstAnswer[];
}

function addressOf({ url, params }: FetchArgs): string {
  const said = Object.entries(params ?? {}).filter(([, value]) => value !== undefined);
  return said.length > 0 ? `${url}?${new URLSearchParams(said)}` : url;
}

/** The answer to this read, if the page brought it and nobody has had it yet. */
export function takeFirstAnswer(read: FetchArgs): FirstAnswer | undefined {
  unpack();
  if (waiting.length === 0) return undefined;
  const address = addressOf(read);
  const found = waiting.find(({ url }) => url === address);
  waiting = waiting.filter((answer) => answer !== found);
  return found;
}
