import { describe, expect, it } from 'vitest';
import { paths, safeReturnPath } from './paths';

describe('safeReturnPath', () => {
  it.each(['/dashboard/myOrders', '/product/1?x=1#y', '/'])('lets %s through', (path) =>
    expect(safeReturnPath(path)).toBe(path),
  );

  it.each(['//evil.example', '/\\evil.example', 'https://evil.example', '', null, 7])(
    'goes Home instead of to %j',
    (path) => expect(safeReturnPath(path)).toBe(paths.home),
  );

  it.each(['/login', '/login/', '/Login?from=x', '/signup#x', '/sign%75p'])(
    'goes Home instead of back into the sign-in screens by %s',
    (path) => expect(safeReturnPath(path)).toBe(paths.home),
  );
});
