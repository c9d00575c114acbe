import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createStore } from '@/app/store';
import { sessionEndpoints } from '@/features/accounts/session/api';

beforeEach(() => {
  vi.useFakeTimers();
  // Of the browser's own clock; the false one is not asked by it.
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(new DOMException('late', 'TimeoutError')), milliseconds);
    return controller.signal;
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('a read that is never answered ends within twenty seconds, all its tries together', async () => {
  let calls = 0;
  vi.stubGlobal(
    'fetch',
    (request: Request) =>
      new Promise((_, refuse) => {
        calls += 1;
        request.signal.addEventListener('abort', () => refuse(request.signal.reason));
      }),
  );
  const began = Date.now();
  const answer = createStore().dispatch(sessionEndpoints.getConfig.initiate());
  let took: number | undefined;
  void answer.then(() => {
    took = Date.now() - began;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(took).toBeGreaterThan(15_000);
  expect(took).toBeLessThanOrEqual(20_000);
  expect(calls).toBe(2);
  expect((await answer).error).toMatchObject({ slug: 'timeout' });
});
