import { describe, expect, it } from 'vitest';
import { isEmail } from './email';

describe('isEmail', () => {
  it.each(['abc123@mail.com', 'a@b.co', 'john.doe@my-shop.co.uk', 'Jo+x@Example.COM'])(
    'accepts %s',
    (email) => expect(isEmail(email)).toBe(true),
  );

  it.each(['', 'a', 'a@b', 'a@b.', '@b.com', 'a b@c.com', 'a@b..com', 'a@-b.com', 'a@b.com '])(
    'refuses %j',
    (email) => expect(isEmail(email)).toBe(false),
  );
});
