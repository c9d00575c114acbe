import { act, screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { lazy } from 'react';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aConfig } from '@/testing/config';
import { renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import { ErrorBoundary } from './error-boundary';

/** The page's frame as a browser that has just opened the shop knows it. */
async function open(page = <h1>Brakes</h1>, at = '/') {
  const { Layout } = await import('./layout');
  renderApp(
    <ErrorBoundary>
      <Routes>
        <Route element={<Layout />}>
          <Route path="*" element={page} />
        </Route>
      </Routes>
    </ErrorBoundary>,
    { at },
  );
}

/** A screen whose script never arrives. */
const Endless = lazy(() => new Promise<never>(() => {}));

describe('Layout', () => {
  beforeEach(() => server.use(http.get('*/config', () => HttpResponse.json(aConfig()))));

  afterEach(() => {
    vi.restoreAllMocks();
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

  it('says in the footer who sells, how to reach them, and where to read what is promised', async () => {
    await import('./footer');
    await open();
    const footer = within(await screen.findByRole('contentinfo'));
    expect(await footer.findByText('Vale Parts LLC')).toBeVisible();
    const email = footer.getByRole('link', { name: 'support@vale.example' });
    expect(email).toHaveAttribute('href', 'mailto:support@vale.example');
    const phone = footer.getByRole('link', { name: '+1 (202) 555-0143' });
    expect(phone).toHaveAttribute('href', 'tel:+12025550143');
    const help = within(footer.getByRole('navigation', { name: 'Help' })).getAllByRole('link');
    expect(help.map((link) => link.getAttribute('href'))).toEqual([
      '/contact',
      '/shipping',
      '/return-policy',
      '/terms',
      '/privacy',
    ]);
    expect(footer.getByRole('link', { name: 'Unsubscribe any time' })).toHaveAttribute(
      'href',
      '/unsubscribe',
    );
  });

  it('puts a slim one under the dashboard, without the newsletter', async () => {
    await import('./footer');
    await open(<h1>Brakes</h1>, '/dashboard/blog');
    const footer = within(await screen.findByRole('contentinfo'));
    expect(footer.getByText('reliable parts since 1992')).toBeVisible();
    expect(footer.getByRole('link', { name: 'Contact us' })).toBeVisible();
    expect(footer.queryByRole('textbox')).toBeNull();
  });

  it('says which screen is on its way, once', async () => {
    await open(<Endless />, '/dashboard/blog');
    expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Blog');
    expect(within(screen.getByRole('main')).getByRole('status')).toHaveTextContent('Loading');
  });

  it('says so of a screen whose name only its own script knows', async () => {
    await open(<Endless />, '/dashboard/order/7');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Loading');
  });

  it('keeps the page where the footer does not arrive', async () => {
    vi.resetModules();
    const requested = vi.fn();
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
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
    expect(screen.queryByText('Something went wrong loading this page')).not.toBeInTheDocument();
  });
});
