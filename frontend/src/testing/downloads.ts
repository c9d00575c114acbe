import { vi } from 'vitest';

interface Download {
  name: string;
  text: Promise<string>;
}

/** What the test hands to the browser's downloads from now on. The addresses of files, which jsdom has none of, stay made up. */
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
