import { expect, it } from 'vitest';
import { IdempotencyKeys, newIdempotencyKey } from './idempotency-key';

it('keeps the key over retries of the same form, and only of the same', () => {
  const keys = new IdempotencyKeys();
  const first = keys.keyFor({ quantity: 50 });
  expect(keys.keyFor({ quantity: 50 })).toBe(first);
  expect(keys.keyFor({ quantity: 51 })).not.toBe(first);
});

it('takes a new key for the same form once the first request is answered', () => {
  const keys = new IdempotencyKeys();
  const first = keys.keyFor({ name: 'a' });
  keys.finish();
  expect(keys.keyFor({ name: 'a' })).not.toBe(first);
});

it('goes on with the key of what was sent before, for the same content only', () => {
  const sent = { payload: { quantity: 50 }, key: 'sent-before' };
  expect(new IdempotencyKeys(sent).keyFor({ quantity: 50 })).toBe('sent-before');
  expect(new IdempotencyKeys(sent).keyFor({ quantity: 51 })).not.toBe('sent-before');
});

it('makes a version 4 UUID without randomUUID as well', () => {
  const original = crypto.randomUUID;
  Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true });
  try {
    expect(newIdempotencyKey()).toMatch(
      /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
    );
  } finally {
    Object.defineProperty(crypto, 'randomUUID', { value: original, configurable: true });
  }
});
