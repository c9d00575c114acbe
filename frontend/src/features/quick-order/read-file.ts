import { messages } from './messages';

/** The largest file that is read, in bytes. */
const LARGEST = 2 * 1024 * 1024;
export const MOST_LINES = 1_000;

/** UTF-8, or what spreadsheets write where it is not: UTF-16 says so, and everything else is Latin. */
function decoded(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes.slice(0, 2));
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The text of a list, or why it is none. */
export async function readList(file: File): Promise<{ text: string } | { failure: string }> {
  if (!/\.(csv|txt|tsv)$/i.test(file.name)) return { failure: messages.wrongFile };
  if (file.size > LARGEST) return { failure: messages.tooLarge };
  try {
    const text = decoded(await file.arrayBuffer());
    return text.trim() === '' ? { failure: messages.emptyFile } : { text };
  } catch {
    return { failure: messages.unreadable };
  }
}

/** Why this list cannot be checked; null if it can. */
export function faultOf(text: string): string | null {
  const count = text.split(/\r\n|\n|\r/).filter((line) => line.trim() !== '').length;
  if (count === 0) return messages.nothing;
  // A header may be one more.
  return count > MOST_LINES + 1 ? messages.tooMany(count) : null;
}
