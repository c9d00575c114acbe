import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { catchDownloads } from '@/testing/downloads';
import { problem } from '@/testing/orders';
import { customer as admin, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import AuditPage from './pages/audit-page';
import type { AuditEntry } from './wire';

function anEntry(facts: Partial<AuditEntry> = {}): AuditEntry {
  return {
    number: 7,
    at: '2026-11-20T12:00:00Z',
    accountId: 'a1',
    email: 'boss@example.com',
    operation: 'editProduct',
    method: 'PATCH',
    route: '/products/{id}',
    kind: 'product',
    change: 'changed',
    target: 'p1',
    parent: null,
    before: { price_cents: 500, universal: false },
    after: { price_cents: 600, universal: false },
    clientAddress: '203.0.113.9',
    userAgent: 'Firefox',
    requestId: 'r1',
    hash: 'ab'.repeat(32),
    ...facts,
  };
}

const head = { number: 7, hash: 'cd'.repeat(32) };

/** The requests for the list, and the page. */
function show(entries: readonly AuditEntry[], at = '/dashboard/audit') {
  const asked: string[] = [];
  server.use(
    http.get('http://shop.test/audit', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json(entries, { headers: { 'X-Total-Count': String(entries.length) } });
    }),
    http.get('http://shop.test/audit/head', () => HttpResponse.json(head)),
  );
  renderScreens({ '/dashboard/audit': <AuditPage /> }, { user: admin, at });
  return asked;
}

describe('the audit trail', () => {
  it('shows who did what, and on demand what was and is, from where, and the way there', async () => {
    show([anEntry(), anEntry({ number: 6, kind: 'new_thing', change: 'added', before: null })]);
    const list = await screen.findByRole('list', { name: 'Audit trail entries' });
    const [first, second] = within(list).getAllByRole('listitem');
    expect(second).toHaveTextContent('new_thing');
    expect(first).toHaveTextContent('ChangedProducteditProductboss@example.com');
    expect(screen.queryByRole('table')).toBeNull();
    await userEvent.click(within(first as HTMLElement).getByText('Product'));
    const table = await screen.findByRole('table', { name: 'Values of entry 7' });
    const rows = within(table)
      .getAllByRole('row')
      .map((row) => row.textContent);
    expect(rows).toEqual(['FieldBeforeAfter', 'Price cents500600', 'UniversalNoNo']);
    expect(first).toHaveTextContent('203.0.113.9');
    expect(screen.getByRole('link', { name: 'Open product' })).toHaveAttribute(
      'href',
      '/dashboard/manage/p1',
    );
    expect(screen.getByRole('link', { name: 'Everything about this' })).toHaveAttribute(
      'href',
      '/dashboard/audit?q=p1',
    );
    expect(await screen.findByText(`7:${head.hash}`)).toBeInTheDocument();
  });

  it('asks for an admin by address, for a thing by its ID, and for whole days', async () => {
    const asked = show(
      [anEntry()],
      '/dashboard/audit?q=p1&kind=product&from=2026-11-20&to=2026-11-30',
    );
    await screen.findByText('boss@example.com');
    expect(Object.fromEntries(new URLSearchParams(asked.at(-1)))).toEqual({
      target: 'p1',
      kind: 'product',
      from: '2026-11-20T00:00:00Z',
      until: '2026-12-01T00:00:00.000Z',
      limit: '20',
    });
    await userEvent.clear(screen.getByRole('searchbox'));
    await userEvent.type(screen.getByRole('searchbox'), 'boss@example.com');
    await waitFor(() => expect(asked.at(-1)).toContain('email=boss%40example.com'));
  });

  it('hands out what is shown as a file, and says so if that fails', async () => {
    const saved = catchDownloads();
    const asked: string[] = [];
    show([anEntry()], '/dashboard/audit?kind=export');
    server.use(
      http.get('http://shop.test/audit.csv', ({ request }) => {
        asked.push(new URL(request.url).search);
        return new HttpResponse('number\n', {
          headers: { 'Content-Disposition': 'attachment; filename="audit-2026-11-21.csv"' },
        });
      }),
    );
    await userEvent.click(await screen.findByRole('button', { name: 'Export CSV' }));
    await waitFor(() => expect(asked).toEqual(['?kind=export']));
    await waitFor(() => expect(saved).toHaveLength(1));
  });

  it('says when there is nothing, and offers to try again when it fails', async () => {
    server.use(
      http.get('http://shop.test/audit', () =>
        HttpResponse.json(problem('unavailable', 500, 'Not now.'), { status: 500 }),
      ),
      http.get('http://shop.test/audit/head', () => HttpResponse.json({ ...head, number: 0 })),
    );
    renderScreens({ '/dashboard/audit': <AuditPage /> }, { user: admin, at: '/dashboard/audit' });
    expect(
      await screen.findByText("We couldn't load the entries", {}, { timeout: 9000 }),
    ).toBeVisible();
    server.use(http.get('http://shop.test/audit', () => HttpResponse.json([])));
    await userEvent.click(screen.getByRole('button', { name: /try again|retry/i }));
    expect(await screen.findByText('Nothing yet')).toBeVisible();
    expect(screen.queryByText('Newest entry')).toBeNull();
  }, 15_000);
});
