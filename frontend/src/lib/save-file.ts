/** The name that a `Content-Disposition` gives an attachment (RFC 6266), without any path; else `fallback`. */
export function fileNameOf(disposition: string | null, fallback: string): string {
  const name = /;\s*filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1]?.trim();
  return name?.split(/[/\\]/).at(-1) || fallback;
}

/** Hands something to the browser's downloads. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Not at once: some browsers begin to read only after the click has been dealt with.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
