import { useState } from 'react';

/** A version 4 UUID; also where `randomUUID` is missing, as on plain http from another machine. */
export function newIdempotencyKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

interface SentRequest {
  payload: unknown;
  key: string;
}

/** Remembers one key per content: the same form sent again keeps its key, a changed one gets another. */
export class IdempotencyKeys {
  #content = '';
  #key = '';

  /** Goes on with the key of a request that was sent before, as one that outlived a reload. */
  constructor(sent?: SentRequest | null) {
    if (!sent) return;
    this.#content = JSON.stringify(sent.payload) ?? '';
    this.#key = sent.key;
  }

  /** The `Idempotency-Key` to send with this payload. */
  keyFor(payload: unknown): string {
    const content = JSON.stringify(payload) ?? '';
    if (this.#key === '' || content !== this.#content) {
      this.#content = content;
      this.#key = newIdempotencyKey();
    }
    return this.#key;
  }

  /** To be called once the shop has answered for good: sending the same content again is then a new request. */
  finish(): void {
    this.#key = '';
  }
}

/** One `IdempotencyKeys` for the life of a form. */
export function useIdempotencyKeys(sent?: SentRequest | null): IdempotencyKeys {
  return useState(() => new IdempotencyKeys(sent))[0];
}
