import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { useState } from 'react';
import { Route, Routes } from 'react-router-dom';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { useListReviewsQuery } from '@/features/catalog/api';
import { retryingLazy } from '@/lib/retrying-lazy';
import { aConfig } from '@/testing/config';
import { renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import { Layout } from './layout';

const line = { isUp: true };
beforeEach(() => {
  line.isUp = true;
  server.use(http.get('*/config', () => HttpResponse.json(aConfig())));
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => line.isUp);
});

function setLine(isUp: boolean) {
  line.isUp = isUp;
  act(() => {
    dispatchEvent(new Event(isUp ? 'online' : 'offline'));
  });
}

async function open(page: React.ReactNode) {
  renderApp(
    <Routes>
      <Route element={<Layout />}>
        <Route path="*" element={page} />
      </Route>
    </Routes>,
  );
  // What listens arrives after the first screen.
  await screen.findByRole('contentinfo');
}

function Reviews() {
  const { data } = useListReviewsQuery({ limit: 3 });
  return <p>{data?.length ?? 'no'} reviews</p>;
}

function AskingPage() {
  const [asks, setAsks] = useState(false);
  if (asks) return <Reviews />;
  return (
    <button type="button" onClick={() => setAsks(true)}>
      Ask
    </button>
  );
}

describe('without a connection', () => {
  it('a bar says so until it is back', async () => {
    await open(<h1>Brakes</h1>);
    const text = "You're offline. We'll reconnect automatically.";
    expect(screen.queryByText(text)).toBeNull();
    setLine(false);
    expect(await screen.findByText(text)).toHaveAttribute('role', 'status');
    setLine(true);
    expect(screen.queryByText(text)).toBeNull();
  });

  it('a page whose code did not arrive comes by itself once it is back', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const About = retryingLazy(async () => {
      if (!line.isUp) throw new Error('Loading chunk 7 failed.');
      return { default: () => <h1>About</h1> };
    });
    line.isUp = false;
    await open(<About />);
    expect(await screen.findByText('Something went wrong loading this page')).toBeVisible();
    // A reload would take the page away now: Retry asks again instead, in vain.
    act(() => screen.getByRole('button', { name: 'Retry' }).click());
    expect(await screen.findByText('Something went wrong loading this page')).toBeVisible();
    setLine(true);
    expect(await screen.findByRole('heading', { name: 'About' })).toBeVisible();
  });

  it('lists are asked for again once it is back', async () => {
    let reviews = 0;
    server.use(
      http.get('*/reviews', () =>
        HttpResponse.json(Array.from({ length: reviews++ }, () => ({ _id: `${reviews}` }))),
      ),
    );
    await open(<Reviews />);
    expect(await screen.findByText('0 reviews')).toBeVisible();
    setLine(false);
    setLine(true);
    await waitFor(() => expect(screen.getByText('1 reviews')).toBeVisible());
  });
});

it('says after five seconds that it still loads, and no more once it has', async () => {
  let answer = () => {};
  const held = new Promise<void>((done) => {
    answer = done;
  });
  server.use(
    http.get('*/reviews', async () => {
      await held;
      return HttpResponse.json([]);
    }),
  );
  await open(<AskingPage />);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  fireEvent.click(screen.getByRole('button', { name: 'Ask' }));
  // Until the store has said that something is asked for.
  await act(async () => undefined);
  act(() => void vi.advanceTimersByTime(4_900));
  expect(screen.queryByText('Still loading…')).toBeNull();
  act(() => void vi.advanceTimersByTime(200));
  expect(screen.getByText('Still loading…')).toHaveAttribute('role', 'status');
  vi.useRealTimers();
  answer();
  expect(await screen.findByText('0 reviews')).toBeVisible();
  expect(screen.queryByText('Still loading…')).toBeNull();
});
