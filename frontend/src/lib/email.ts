export const EMAIL_REQUIRED = 'Email is required';
export const EMAIL_INVALID = 'Please enter a valid email';

const SHAPE =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*\.[a-z]{2,}$/i;

/** Accepts what the spec's pattern accepts and real addresses beyond it; the server has the last word. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && SHAPE.test(text);
}
