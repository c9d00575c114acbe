import { act, screen } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderApp } from '@/testing/render';
import { ErrorBoundary } from './error-boundary';

/** The page's frame as a browser that has just opened the shop knows it. */
async function open() {
  const { Layout } = await import('./layout');
  renderApp(
    <ErrorBoundary>
      <Routes>
        <Route element={<Layout />}>
          <Route path="*" element={<h1>Brakes</h1>} />
        </Route>
      </Routes>
    </ErrorBoundary>,
  );
}

describe('Layout', () => {
  afterEach(() => {
    vi.doUnmock('./footer');
    vi.resetModules();
  });

  it('puts the footer under the page', async () => {
    // Let no slow machine take the time that reading the file needs for a footer that does not come.
    await import('./footer');
    await open();
    expect(await screen.findByRole('contentinfo')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Brakes' })).toBeVisible();
  });

  it('keeps the page where the footer does not arrive', async () => {
    vi.resetModules();
    const requested = vi.fn();
    vi.doMock('./footer', () => ({
      get Footer() {
        requested();
        throw new Error('The connection is gone.');
      },
    }));
    await open();
    await vi.waitFor(() => expect(requested).toHaveBeenCalled());
    // Long enough for the page to break, if it is going to.
    await act(() => new Promise((done) => setTimeout(done, 250)));
    expect(screen.getByRole('heading', { name: 'Brakes' })).toBeVisible();
    expect(screen.queryByRole('contentinfo')).not.toBeInTheDocument();
    expect(screen.queryByText('This page did not load')).not.toBeInTheDocument();
  });
});
