/** The id of the product whose page this address is; null for every other. */
export function productIdIn(address: unknown): string | null {
  if (typeof address !== 'string') return null;
  const [, id] = /^\/product\/([^/?#]+)/.exec(address) ?? [];
  try {
    return id ? decodeURIComponent(id) : null;
  } catch {
    return null;
  }
}
