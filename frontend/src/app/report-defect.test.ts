import { afterEach, beforeEach, expect, test, vi } from 'vitest';

/** What was sent, read back. */
const sent: Promise<Record<string, string>>[] = [];

beforeEach(() => {
  vi.resetModules();
  sent.length = 0;
  vi.stubGlobal('navigator', {
    ...navigator,
    sendBeacon: (path: string, body: Blob) => {
      expect(path).toBe('/client-errors');
      expect(body.type).toBe('application/json');
      sent.push(
        new Promise((done) => {
          const reader = new FileReader();
          reader.onload = () => done(JSON.parse(String(reader.result)));
          reader.readAsText(body);
        }),
      );
      return true;
    },
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  history.replaceState(null, '', '/');
});

test('a defect is reported with its page, and nothing of whose page it is', async () => {
  const { reportDefect } = await import('./report-defect');
  history.replaceState(null, '', '/dashboard/order/0199b7c2-0000-7000-8000-000000000001?q=ada');
  reportDefect('render', new TypeError('x is null'));
  history.replaceState(null, '', '/dashboard/users/ada@example.com');
  reportDefect('error', 'second');
  const reports = await Promise.all(sent);
  expect(reports).toEqual([
    {
      kind: 'render',
      route: '/dashboard/order/:id',
      message: 'TypeError: x is null',
      build: 'unknown',
    },
    { kind: 'error', route: '/dashboard/users/:id', message: 'second', build: 'unknown' },
  ]);
});

test('the same defect is reported once, and of many the first five', async () => {
  const { reportDefect } = await import('./report-defect');
  for (let nth = 0; nth < 3; nth += 1) reportDefect('error', 'again');
  for (let nth = 0; nth < 10; nth += 1) reportDefect('error', `defect ${nth}`);
  expect(sent).toHaveLength(5);
});

test('a call that was broken off is no defect, and a long message is cut', async () => {
  const { reportDefect } = await import('./report-defect');
  reportDefect('rejection', new DOMException('left', 'AbortError'));
  expect(sent).toHaveLength(0);
  reportDefect('error', 'x'.repeat(1_000));
  expect((await sent[0])?.message).toHaveLength(300);
});

test('what nothing caught is reported', async () => {
  const { watchDefects } = await import('./report-defect');
  watchDefects();
  dispatchEvent(new ErrorEvent('error', { error: new RangeError('too far') }));
  dispatchEvent(new ErrorEvent('error', { message: 'Script error.' }));
  dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: new Error('no') }));
  expect((await Promise.all(sent)).map(({ kind, message }) => [kind, message])).toEqual([
    ['error', 'RangeError: too far'],
    ['rejection', 'Error: no'],
  ]);
});
