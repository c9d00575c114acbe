/** What a list of products leaves with its links: its own address, so that a product knows the way back. */
export interface Results {
  results: string;
}

/** The address of the list that led to a page, by the page's router state; null where none did. */
export function resultsOf(state: unknown): string | null {
  if (typeof state !== 'object' || state === null) return null;
  const { results } = state as Record<string, unknown>;
  return typeof results === 'string' && results.startsWith('/shop') ? results : null;
}
