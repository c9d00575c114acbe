import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { api } from '@/api/api';
import { sessionLost } from '@/api/session-state';
import { createStore, type Store } from '@/app/store';
import { customer } from '@/testing/render';
import { server } from '@/testing/server';
import { takeNotices } from '@/ui/notify';
import { sessionEndpoints } from './api';
import { sessionOpened } from './slice';
import { signOut, startSession, watchSession } from './thunks';

function hint() {
  // biome-ignore lint/suspicious/noDocumentCookie: jsdom has no Cookie Store.
  document.cookie = 'signed-in=1; path=/';
}

function tokenThatEndsIn(seconds: number): string {
  const claims = { exp: Math.floor(Date.now() / 1000) + seconds };
  return `h.${btoa(JSON.stringify(claims))}.s`;
}

const phase = (store: Store) => store.getState().session.phase;

describe('startSession', () => {
  it('asks nothing for a visitor, and drops a token that was left behind', async () => {
    localStorage.setItem('accessToken', 'left.over.token');
    const store = createStore();
    // No handler is there: any call would fail the test.
    await store.dispatch(startSession());
    expect(phase(store)).toBe('out');
    expect(localStorage.getItem('accessToken')).toBeNull();
  });

  it('opens the session with a fresh token', async () => {
    hint();
    server.use(
      http.get('*/auth/me', () => HttpResponse.json(customer)),
      http.put('*/user/:email', () => HttpResponse.json({ token: 'a.b.c' })),
    );
    const store = createStore();
    await store.dispatch(startSession());
    expect(store.getState().session).toEqual({ phase: 'in', user: customer });
    expect(localStorage.getItem('accessToken')).toBe('a.b.c');
  });

  it('waits for the answer even if the line comes back meanwhile', async () => {
    hint();
    server.use(
      http.get('*/auth/me', () => HttpResponse.json(customer)),
      http.put('*/user/:email', () => HttpResponse.json({ token: 'a.b.c' })),
    );
    const store = createStore();
    const started = store.dispatch(startSession());
    store.dispatch(api.internalActions.onOnline());
    await started;
    expect(phase(store)).toBe('in');
  });

  it('believes a 401, and does not ask again on the next page', async () => {
    hint();
    server.use(http.get('*/auth/me', () => new HttpResponse(null, { status: 401 })));
    const store = createStore();
    await store.dispatch(startSession());
    expect(phase(store)).toBe('out');
    expect(document.cookie).not.toContain('signed-in');
  });

  it('ends in a failure with a sentence when no answer comes, and keeps the hint', async () => {
    hint();
    server.use(http.get('*/auth/me', () => new HttpResponse(null, { status: 500 })));
    const store = createStore();
    await store.dispatch(startSession());
    expect(phase(store)).toBe('failed');
    expect(document.cookie).toContain('signed-in=1');
  });
});

describe('signOut', () => {
  it('ends the session here and on the server', async () => {
    hint();
    localStorage.setItem('accessToken', 'a.b.c');
    let called = false;
    server.use(
      http.post('*/auth/logout', () => {
        called = true;
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const store = createStore();
    store.dispatch(sessionOpened(customer));
    expect(await store.dispatch(signOut())).toEqual({ ok: true });
    expect(called).toBe(true);
    expect(phase(store)).toBe('out');
    expect(localStorage.getItem('accessToken')).toBeNull();
  });

  it('keeps the account signed in when the server could not be reached', async () => {
    localStorage.setItem('accessToken', 'a.b.c');
    server.use(http.post('*/auth/logout', () => HttpResponse.error()));
    const store = createStore();
    store.dispatch(sessionOpened(customer));
    const outcome = await store.dispatch(signOut());
    expect(outcome.ok).toBe(false);
    expect(phase(store)).toBe('in');
    expect(localStorage.getItem('accessToken')).toBe('a.b.c');
  });
});

describe('a token that ran out', () => {
  it('is renewed once for all calls that were refused, and each call is repeated with it', async () => {
    localStorage.setItem('accessToken', 'old');
    let renewal = 0;
    server.use(
      http.put('*/user/:email', () => {
        renewal += 1;
        return HttpResponse.json({ token: 'new' });
      }),
      http.get('*/admin/:email', ({ request }) =>
        request.headers.get('Authorization') === 'Bearer new'
          ? HttpResponse.json({ admin: true })
          : new HttpResponse(null, { status: 401 }),
      ),
    );
    const store = createStore();
    store.dispatch(sessionOpened(customer));
    const answers = await Promise.all(
      ['a@b.co', 'c@d.co', 'e@f.co'].map((email) =>
        store.dispatch(sessionEndpoints.isAdmin.initiate(email)),
      ),
    );
    expect(answers.map(({ data }) => data)).toEqual([
      { admin: true },
      { admin: true },
      { admin: true },
    ]);
    expect(renewal).toBe(1);
  });

  it('signs the account out when the server refuses to renew it', async () => {
    localStorage.setItem('accessToken', 'old');
    server.use(
      http.put('*/user/:email', () => new HttpResponse(null, { status: 401 })),
      http.get('*/admin/:email', () => new HttpResponse(null, { status: 401 })),
    );
    const store = createStore();
    store.dispatch(sessionOpened(customer));
    await store.dispatch(sessionEndpoints.isAdmin.initiate(customer.email));
    expect(phase(store)).toBe('out');
    expect(localStorage.getItem('accessToken')).toBeNull();
  });

  it('does not sign anybody out because the network is away', async () => {
    localStorage.setItem('accessToken', 'old');
    server.use(
      http.put('*/user/:email', () => HttpResponse.error()),
      http.get('*/admin/:email', () => new HttpResponse(null, { status: 401 })),
    );
    const store = createStore();
    store.dispatch(sessionOpened(customer));
    const { error } = await store.dispatch(sessionEndpoints.isAdmin.initiate(customer.email));
    expect(error).toMatchObject({ slug: 'network' });
    expect(phase(store)).toBe('in');
  });
});

describe('reads and writes while the shop is away', () => {
  it('tries a read three times', async () => {
    let tries = 0;
    server.use(
      http.get('*/config', () => {
        tries += 1;
        return tries < 3
          ? new HttpResponse(null, { status: 503 })
          : HttpResponse.json({ paymentProvider: 'sandbox', publishableKey: null, google: false });
      }),
    );
    const { data } = await createStore().dispatch(sessionEndpoints.getConfig.initiate());
    expect(data?.paymentProvider).toBe('sandbox');
    expect(tries).toBe(3);
  });

  it('never repeats a write by itself', async () => {
    let tries = 0;
    server.use(
      http.post('*/auth/logout', () => {
        tries += 1;
        return new HttpResponse(null, { status: 503 });
      }),
    );
    await createStore().dispatch(sessionEndpoints.logOut.initiate());
    expect(tries).toBe(1);
  });
});

describe('watchSession', () => {
  let stop = () => {};
  afterEach(() => {
    stop();
    vi.useRealTimers();
  });

  const watch = (store: Store) => {
    stop = watchSession((thunk) => store.dispatch(thunk), store.getState, store.subscribe);
  };

  it('asks for a new token a minute before the old one ends', async () => {
    vi.useFakeTimers();
    localStorage.setItem('accessToken', tokenThatEndsIn(900));
    let renewal = 0;
    server.use(
      http.put('*/user/:email', () => {
        renewal += 1;
        return HttpResponse.json({ token: tokenThatEndsIn(900) });
      }),
    );
    const store = createStore();
    store.dispatch(sessionOpened(customer));
    watch(store);
    await vi.advanceTimersByTimeAsync(838_000);
    expect(renewal).toBe(0);
    await vi.advanceTimersByTimeAsync(5_000);
    await vi.waitFor(() => expect(renewal).toBe(1));
  });

  it.each([
    ['signs out here', async (store: Store) => void (await store.dispatch(signOut()))],
    [
      'signs out in another tab',
      async () => {
        localStorage.removeItem('accessToken');
        window.dispatchEvent(new StorageEvent('storage', { key: 'accessToken', newValue: null }));
      },
    ],
    ['is signed out by the server', async (store: Store) => void store.dispatch(sessionLost())],
  ])('stops the reads and drops the answers of an account that %s', async (_way, leave) => {
    localStorage.setItem('accessToken', 'a.b.c');
    let stopped = false;
    let started = () => {};
    const asked = new Promise<void>((done) => {
      started = done;
    });
    server.use(
      http.post('*/auth/logout', () => new HttpResponse(null, { status: 204 })),
      http.get('*/config', () =>
        HttpResponse.json({ paymentProvider: 'sandbox', publishableKey: null, google: false }),
      ),
      http.get('*/admin/:email', async ({ request }) => {
        request.signal.addEventListener('abort', () => {
          stopped = true;
        });
        started();
        await new Promise(() => {});
      }),
    );
    const store = createStore();
    store.dispatch(sessionOpened(customer));
    watch(store);
    await store.dispatch(sessionEndpoints.getConfig.initiate());
    const reading = store.dispatch(sessionEndpoints.isAdmin.initiate(customer.email));
    await asked;
    await leave(store);
    expect((await reading).data).toBeUndefined();
    await vi.waitFor(() => expect(stopped).toBe(true));
    await vi.waitFor(() => expect(store.getState().api.queries).toEqual({}));
    takeNotices();
  });

  it('lets the call to which the server said that the session is over be heard to its end', async () => {
    localStorage.setItem('accessToken', 'old');
    server.use(
      http.put('*/user/:email', () => new HttpResponse(null, { status: 401 })),
      http.patch('*/auth/me', () => new HttpResponse(null, { status: 401 })),
    );
    const store = createStore();
    store.dispatch(sessionOpened(customer));
    watch(store);
    const { error } = await store.dispatch(
      sessionEndpoints.updateMe.initiate({ rename: { displayName: 'Robin' } }),
    );
    expect(error).toMatchObject({ status: 401 });
  });

  it('follows another tab to another account, however quickly it was', async () => {
    hint();
    const other = { ...customer, email: 'other@example.com' };
    const token = `h.${btoa(JSON.stringify({ email: other.email }))}.s`;
    server.use(
      http.get('*/auth/me', () => HttpResponse.json(other)),
      http.put('*/user/:email', () => HttpResponse.json({ token })),
      http.get('*/config', () =>
        HttpResponse.json({ paymentProvider: 'sandbox', publishableKey: null, google: false }),
      ),
    );
    const store = createStore();
    store.dispatch(sessionOpened(customer));
    watch(store);
    await store.dispatch(sessionEndpoints.getConfig.initiate());
    localStorage.setItem('accessToken', token);
    window.dispatchEvent(new StorageEvent('storage', { key: 'accessToken', newValue: token }));
    expect(store.getState().api.queries).not.toHaveProperty('getConfig(undefined)');
    await vi.waitFor(() => expect(store.getState().session).toEqual({ phase: 'in', user: other }));
  });

  it('notices that another tab signed out', () => {
    localStorage.setItem('accessToken', 'a.b.c');
    const store = createStore();
    store.dispatch(sessionOpened(customer));
    watch(store);
    localStorage.removeItem('accessToken');
    window.dispatchEvent(new StorageEvent('storage', { key: 'accessToken', newValue: null }));
    expect(phase(store)).toBe('out');
    expect(takeNotices().map(({ text }) => text)).toEqual(['You were signed out in another tab.']);
  });

  it('is not confused by other keys', () => {
    localStorage.setItem('accessToken', 'a.b.c');
    const store = createStore();
    store.dispatch(sessionOpened(customer));
    watch(store);
    localStorage.removeItem('accessToken');
    window.dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue: null }));
    expect(phase(store)).toBe('in');
  });
});

it('signing out throws away drafts, and what was come to last', async () => {
  sessionStorage.setItem('draft:review', '{}');
  sessionStorage.setItem('billing:7', '{}');
  localStorage.setItem('recent:parts', '{}');
  localStorage.setItem('theme', 'driveline-dark');
  server.use(http.post('*/auth/logout', () => new HttpResponse(null, { status: 204 })));
  const store = createStore();
  await store.dispatch(signOut());
  expect(Object.keys(sessionStorage)).toEqual(['billing:7']);
  expect(Object.keys(localStorage)).toEqual(['theme']);
});
