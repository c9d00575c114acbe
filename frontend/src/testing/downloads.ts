import { vi } from 'vitest';

interface Download {
  name: string;
  text: Promise<string>;
}

/** What is handed to the browser's downloads from now on, until the test ends. */
export function catchDownloads(): readonly Download[] {
  const saved: Download[] = [];
  let content = new Blob();
  Object.assign(URL, {
    createObjectURL: (blob: Blob) => {
      content = blob;
      return 'blob:saved';
    },
    revokeObjectURL: () => undefined,
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push({ name: this.download, text: content.text() });
  });
  return saved;
}
