import { useMemo } from 'react';

/** A version 4 UUID; also where `randomUUID` is missing, as on plain http from another machine. */
export function newKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Remembers one key per content: the same form sent again is the same intent, a changed one is another. */
export class IntentKeys {
  #content = '';
  #key = '';

  /** The `Idempotency-Key` to send with this payload. */
  keyFor(payload: unknown): string {
    const content = JSON.stringify(payload) ?? '';
    if (this.#key === '' || content !== this.#content) {
      this.#content = content;
      this.#key = newKey();
    }
    return this.#key;
  }

  /** To be called once the shop has answered for good: sending the same again is then a new wish. */
  finish(): void {
    this.#key = '';
  }
}

/** One `IntentKeys` for the life of a form. */
export function useIntentKeys(): IntentKeys {
  return useMemo(() => new IntentKeys(), []);
}
