import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import type { FeedDetails } from '@/api/types';
import { catchDownloads } from '@/testing/downloads';
import { problem } from '@/testing/orders';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import FeedsPage from './pages/feeds-page';

const base = 'http://shop.test';

function aFeed(facts: Partial<FeedDetails> = {}): FeedDetails {
  return {
    _id: '7',
    kind: 'stock',
    mode: 'update',
    name: 'stock.csv',
    state: 'checked',
    dryRun: true,
    bytes: 100,
    counts: { rows: 4, added: 0, changed: 1, same: 1, refused: 2, archived: 0 },
    archivesMuch: false,
    findingCount: 2,
    progress: 100,
    error: null,
    sentBy: 'admin@example.com',
    createdAt: '2026-11-25T10:00:00Z',
    appliedAt: null,
    findings: [
      { line: 3, field: 'part_number', reason: 'unknown', message: 'There is no Acme 9 here.' },
      { line: 4, field: '', reason: 'row', message: 'This row has more cells than the header.' },
    ],
    reasons: [
      { reason: 'unknown', count: 1 },
      { reason: 'row', count: 1 },
    ],
    changes: [
      {
        line: 2,
        productId: 'p1',
        part: 'Acme 1',
        fields: [{ field: 'availableQty', old: '500', new: null }],
      },
    ],
    ...facts,
  };
}

/** A shop with this feed, which it changes as requested. */
function shop(feed: FeedDetails, sent: FeedDetails[] = [feed]) {
  const calls: { call: string; body?: unknown }[] = [];
  let now = feed;
  server.use(
    http.get(`${base}/feeds`, () =>
      HttpResponse.json(sent, { headers: { 'X-Total-Count': String(sent.length) } }),
    ),
    http.get(`${base}/feeds/:id`, () => HttpResponse.json(now)),
    http.post(`${base}/feeds`, async ({ request }) => {
      calls.push({ call: new URL(request.url).search, body: await request.text() });
      return HttpResponse.json(now, { status: 202 });
    }),
    http.post(`${base}/feeds/:id/apply`, async ({ request }) => {
      calls.push({ call: 'apply', body: await request.json() });
      now = { ...now, state: 'applied', appliedAt: now.createdAt };
      return HttpResponse.json(now, { status: 202 });
    }),
    http.delete(`${base}/feeds/:id`, () => {
      calls.push({ call: 'cancel' });
      now = { ...now, state: 'cancelled' };
      return HttpResponse.json({ deletedCount: 1 });
    }),
    http.get(`${base}/feeds/:id/findings.csv`, () => HttpResponse.text('line,column\r\n')),
  );
  return calls;
}

const open = (at = '/dashboard/feeds?feed=7') => renderApp(<FeedsPage />, { at, user: customer });

describe('Feeds', () => {
  it('sends a file to be checked, and shows what it does before anything changes', async () => {
    const calls = shop(aFeed(), []);
    const user = userEvent.setup();
    open('/dashboard/feeds');
    expect(await screen.findByRole('heading', { name: 'No feeds yet' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Download a sample: Stock' })).toHaveAttribute(
      'href',
      '/feeds/samples/stock.csv',
    );
    await user.click(screen.getByRole('button', { name: 'Check file' }));
    expect(screen.getByText('Choose a file')).toBeVisible();
    expect(screen.getByLabelText('What to do with it')).not.toHaveTextContent('Replace');
    await user.selectOptions(screen.getByLabelText('What the file changes'), 'Fitment');
    expect(screen.getByLabelText('What to do with it')).toHaveTextContent('Replace');
    await user.selectOptions(screen.getByLabelText('What the file changes'), 'Products');
    await user.selectOptions(screen.getByLabelText('What to do with it'), 'Replace the brand');
    const file = new File(['brand,part_number\n'], 'all.csv', { type: 'text/csv' });
    await user.upload(screen.getByLabelText('CSV file'), file);
    await user.click(screen.getByRole('button', { name: 'Check file' }));
    expect(await screen.findByRole('heading', { name: 'stock.csv' })).toBeVisible();
    expect(calls[0]?.call).toBe('?kind=products&mode=replace&dryRun=true&name=all.csv');
  });

  it('lists findings by kind and changes from old to new', async () => {
    const saved = catchDownloads();
    shop(aFeed());
    const user = userEvent.setup();
    open();
    const findings = await screen.findByRole('region', { name: 'Findings' });
    expect(screen.getByText('Not in the catalog: 1')).toBeVisible();
    expect(within(findings).getByText('There is no Acme 9 here.')).toBeVisible();
    expect(within(findings).getByText('Whole row')).toBeVisible();
    const changes = screen.getByRole('region', { name: 'Changes' });
    expect(
      within(changes).getByRole('row', { name: 'Acme 1 availableQty 500 empty' }),
    ).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Save findings as CSV' }));
    await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['findings.csv']));
  });

  it('applies what is good once that is confirmed', async () => {
    const calls = shop(aFeed());
    const user = userEvent.setup();
    open();
    await user.click(await screen.findByRole('button', { name: /^Apply without 2 rows/ }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Apply feed' });
    expect(dialog).toHaveTextContent('Add 0, change 1 and archive 0?');
    await user.click(within(dialog).getByRole('button', { name: 'Yes' }));
    expect(await screen.findByText(/without 2 rows that we refused/)).toBeVisible();
    expect(calls).toEqual([{ call: 'apply', body: { partial: true, confirmArchived: 0 } }]);
    expect(screen.queryByRole('button', { name: /^Cancel feed/ })).not.toBeInTheDocument();
  });

  it('confirms the number of what much of a brand would lose', async () => {
    const counts = { rows: 1, added: 0, changed: 0, same: 1, refused: 0, archived: 40 };
    const calls = shop(
      aFeed({ counts, archivesMuch: true, findingCount: 0, findings: [], reasons: [] }),
    );
    const user = userEvent.setup();
    open();
    expect(await screen.findByText('No findings.')).toBeVisible();
    expect(screen.getByText(/^This archives 40/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: /^Apply feed/ }));
    await user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Yes' }),
    );
    await screen.findByText('All of it is in the store.');
    expect(calls).toEqual([{ call: 'apply', body: { partial: false, confirmArchived: 40 } }]);
  });

  it('shows how far the shop has come, and cancels', async () => {
    const calls = shop(aFeed({ state: 'reading', progress: 40, findingCount: 0 }));
    const user = userEvent.setup();
    open();
    expect(await screen.findByText('Checking: 40%')).toBeVisible();
    await user.click(screen.getByRole('button', { name: /^Cancel feed/ }));
    await user.click(
      within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Yes' }),
    );
    await waitFor(() => expect(screen.queryByText('Checking: 40%')).not.toBeInTheDocument());
    expect(calls).toEqual([{ call: 'cancel' }]);
  });

  it('says why a feed failed, and lists those before', async () => {
    shop(
      aFeed({ state: 'failed', error: 'Line 3: A quotation mark in this row is never closed.' }),
    );
    open();
    expect(await screen.findByRole('alert')).toHaveTextContent('never closed');
    const history = await screen.findByRole('table', { name: 'Feeds, latest first' });
    expect(within(history).getByText('Stock, Update what we have')).toBeVisible();
  });

  it('offers another try where feeds cannot be loaded', async () => {
    shop(aFeed());
    const refusal = problem('defect', 500, 'Something went wrong on our side.');
    server.use(
      http.get(`${base}/feeds`, () => HttpResponse.json(refusal, { status: 500 })),
      http.get(`${base}/feeds/:id`, () => HttpResponse.json(refusal, { status: 500 })),
    );
    open();
    expect(
      await screen.findByRole('heading', { name: "We couldn't load this feed" }),
    ).toBeVisible();
    expect(
      await screen.findByRole('heading', { name: "We couldn't load the feeds" }),
    ).toBeVisible();
  });
});
