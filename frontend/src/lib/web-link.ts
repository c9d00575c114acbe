/** The address if it is a web address, else null: what is typed must never become a link that runs something. */
export function webLink(text: string | null | undefined): string | null {
  if (!text || /\s/.test(text.trim())) return null;
  try {
    const { protocol, href } = new URL(text.trim());
    return protocol === 'https:' || protocol === 'http:' ? href : null;
  } catch {
    return null;
  }
}
