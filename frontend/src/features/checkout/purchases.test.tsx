import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeToken } from '@/api/access-token';
import { countries } from '@/features/addresses/fixture';
import { readKept } from '@/features/quick-order/kept';
import { catchDownloads } from '@/testing/downloads';
import { problem } from '@/testing/orders';
import { aPurchase, aSummary } from '@/testing/purchases';
import { address, customer, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import { ToastHost } from '@/ui/toast-host';
import { paidOf, remainingOf } from './facts';
import PurchasePage from './pages/purchase-page';
import PurchasesPage from './pages/purchases-page';
import type { Purchase, PurchaseSummary } from './wire';

const refused = (status: number, message: string) =>
  HttpResponse.json(problem('no', status, message), { status });

function shopHas(list: PurchaseSummary[], purchase: Purchase = aPurchase()) {
  const calls: string[] = [];
  server.use(
    http.get('*/countries', () => HttpResponse.json(countries)),
    http.get('*/checkouts', ({ request }) => {
      calls.push(`list ${new URL(request.url).searchParams.get('email')}`);
      return HttpResponse.json(list);
    }),
    http.get('*/checkouts/:id', ({ params }) =>
      params.id === purchase._id ? HttpResponse.json(purchase) : refused(404, 'None.'),
    ),
    http.delete('*/checkouts/:id', ({ params }) => {
      calls.push(`cancel ${params.id}`);
      return HttpResponse.json({ deletedCount: 2 });
    }),
    http.post('*/checkouts/:id/reorder', ({ params }) => {
      calls.push(`reorder ${params.id}`);
      return HttpResponse.json({
        rows: [{ line: 1, text: 'DL-1000 50', status: 'ok', message: '', quantity: 50 }],
      });
    }),
  );
  return calls;
}

function open(at = '/dashboard/purchases', state: unknown = null) {
  renderScreens(
    {
      '/dashboard/purchases': (
        <>
          <PurchasesPage />
          <ToastHost />
        </>
      ),
      '/dashboard/purchase/:checkoutId': (
        <>
          <PurchasePage />
          <ToastHost />
        </>
      ),
    },
    { user: customer, at: state === null ? at : { pathname: at, state } },
  );
  return userEvent.setup();
}

beforeEach(() => storeToken('token'));

describe('purchases', () => {
  it('are listed with what they are and what they cost', async () => {
    const calls = shopHas([
      aSummary(),
      aSummary({ _id: 'p2', number: 'P-1041', state: 'paid', paid: true, poNumber: null }),
      aSummary({ _id: 'p3', number: 'P-1040', state: 'waiting', shipping: null, standing: 1 }),
    ]);
    open();
    expect(screen.getByRole('status', { name: 'Loading your purchases' })).toBeVisible();
    const first = within(await screen.findByRole('article', { name: 'Purchase P-1042' }));
    expect(first.getByText('PO number PO-7781')).toBeVisible();
    expect(first.getByText('Not paid yet')).toBeVisible();
    expect(first.getByText('$7,465.00')).toBeVisible();
    expect(first.getByRole('link', { name: /^Pay/ })).toHaveAttribute(
      'href',
      '/dashboard/pay/checkout/purchase-1',
    );
    const paid = within(screen.getByRole('article', { name: 'Purchase P-1041' }));
    expect(paid.getByText('Paid')).toBeVisible();
    expect(paid.queryByRole('link', { name: /^Pay/ })).toBeNull();
    expect(paid.queryByRole('button', { name: /^Cancel/ })).toBeNull();
    const waiting = within(screen.getByRole('article', { name: 'Purchase P-1040' }));
    expect(waiting.getByText('Waiting for freight')).toBeVisible();
    expect(waiting.getByText(/1 of 2 lines/)).toBeVisible();
    expect(waiting.queryByRole('link', { name: /^Pay/ })).toBeNull();
    expect(calls).toEqual([`list ${customer.email}`]);
  });

  it('say how they begin', async () => {
    shopHas([]);
    open();
    expect(await screen.findByRole('heading', { name: 'No purchases yet' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Quick order' })).toBeVisible();
  });

  it('say when they did not come, and are asked for again', async () => {
    let broken = true;
    shopHas([]);
    server.use(
      http.get('*/checkouts', () =>
        broken ? refused(500, 'No.') : HttpResponse.json([aSummary()]),
      ),
    );
    const user = open();
    expect(await screen.findByText("We couldn't load your purchases")).toBeVisible();
    broken = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('article', { name: 'Purchase P-1042' })).toBeVisible();
  });

  it('unfold to their lines, each with its state and its order', async () => {
    const [first, second] = aPurchase().lines;
    if (!first || !second) throw new Error('A purchase has two lines.');
    shopHas(
      [aSummary()],
      aPurchase({
        lines: [
          { ...first, paid: true, status: 'paid' },
          { ...second, cancelled: true },
        ],
      }),
    );
    const user = open();
    const toggle = await screen.findByRole('button', { name: /^Show lines/ });
    expect(toggle).toHaveAttribute('aria-expanded', 'false');
    await user.click(toggle);
    const lines = within(await screen.findByRole('list', { name: 'Parts' })).getAllByRole(
      'listitem',
    );
    expect(within(lines[0] as HTMLElement).getByText('Shipped')).toBeVisible();
    expect(within(lines[1] as HTMLElement).getByText('Canceled')).toBeVisible();
    expect(within(lines[0] as HTMLElement).getByRole('link')).toHaveAttribute(
      'href',
      '/dashboard/order/order-1',
    );
  });

  it('are canceled after a question', async () => {
    const calls = shopHas([aSummary()]);
    const user = open();
    await user.click(await screen.findByRole('button', { name: /^Cancel/ }));
    const question = within(screen.getByRole('alertdialog'));
    expect(question.getByText('Cancel Purchase P-1042?')).toBeVisible();
    expect(question.getByText(/Nothing is charged/)).toBeVisible();
    expect(calls).not.toContain('cancel purchase-1');
    await user.click(question.getByRole('button', { name: 'Yes' }));
    expect(
      await screen.findByText('Purchase P-1042 is canceled. Nothing was charged.'),
    ).toBeVisible();
    expect(calls).toContain('cancel purchase-1');
  });

  it('are ordered again by way of Quick order, which buys nothing', async () => {
    const calls = shopHas([aSummary()]);
    const user = open();
    await user.click(await screen.findByRole('button', { name: /^Order again/ }));
    await waitFor(() => expect(address()).toBe('/dashboard/quickOrder'));
    expect(calls).toContain('reorder purchase-1');
    expect(readKept(customer.email)).toMatchObject({
      reordered: true,
      rows: [{ text: 'DL-1000 50' }],
    });
  });
});

describe('a purchase', () => {
  it('shows its lines, its sums, where it goes and what it says to the buyer', async () => {
    shopHas([], aPurchase({ taxes: [{ name: 'VAT', basisPoints: 1950, base: 100, tax: 19.5 }] }));
    open('/dashboard/purchase/purchase-1');
    expect(await screen.findByRole('heading', { level: 1, name: 'Purchase P-1042' })).toBeVisible();
    expect(document.title).toBe('Purchase P-1042 | Driveline');
    for (const text of [
      '$7,450.00',
      '$15.00',
      'VAT 19.5%',
      '$19.50',
      '$7,465.00',
      'PO-7781',
      'Dock 3',
    ]) {
      expect(screen.getByText(text)).toBeVisible();
    }
    const to = await screen.findByText(/Lane Workshop/);
    await waitFor(() =>
      expect(to.textContent).toBe(
        'Lane Workshop\n12 Foundry Road\nGearton OH 43004\nUnited States',
      ),
    );
    expect(screen.getByText(/Your units are reserved until/)).toBeVisible();
    expect(screen.getByText(/The invoice is here once the purchase is paid/)).toBeVisible();
  });

  it('says that it was just placed, and what happens next', async () => {
    shopHas([], aPurchase({ state: 'waiting', shipping: null, reservedUntil: null }));
    open('/dashboard/purchase/purchase-1', { placed: true });
    const said = await screen.findByRole('alert');
    expect(said).toHaveTextContent('Order placed');
    expect(said).toHaveTextContent("We'll email you the total within one business day");
    expect(screen.getByText('We quote it')).toBeVisible();
    expect(screen.queryByRole('link', { name: /^Pay/ })).toBeNull();
  });

  it('says what is paid and what remains', async () => {
    const [first, second] = aPurchase().lines;
    if (!first || !second) throw new Error('A purchase has two lines.');
    shopHas([], aPurchase({ lines: [{ ...first, paid: true }, second] }));
    open('/dashboard/purchase/purchase-1');
    expect(await screen.findByRole('link', { name: /^Pay \$1,015.00/ })).toBeVisible();
    expect(screen.getByText('$6,450.00', { selector: 'strong' })).toBeVisible();
  });

  it('hands its documents out to whoever is signed in', async () => {
    shopHas(
      [],
      aPurchase({
        state: 'paid',
        paid: true,
        invoices: [{ id: 'i1', number: 'INV-1001', kind: 'invoice', url: '/invoices/i1.pdf' }],
      }),
    );
    let bearer: string | null = null;
    server.use(
      http.get('*/invoices/i1.pdf', ({ request }) => {
        bearer = request.headers.get('Authorization');
        return new HttpResponse('%PDF', {
          headers: { 'Content-Disposition': 'attachment; filename="INV-1001.pdf"' },
        });
      }),
      http.get('*/checkouts/purchase-1/packing-slip.pdf', () => refused(404, 'There is none yet.')),
    );
    const saved = catchDownloads();
    const user = open('/dashboard/purchase/purchase-1');
    await user.click(await screen.findByRole('button', { name: 'Invoice INV-1001' }));
    await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['INV-1001.pdf']));
    expect(bearer).toBe('Bearer token');
    await user.click(screen.getByRole('button', { name: 'Packing slip' }));
    expect(
      await screen.findByText("We couldn't download that document. There is none yet."),
    ).toBeVisible();
  });

  it('is not there if it is of somebody else', async () => {
    shopHas([]);
    open('/dashboard/purchase/another');
    expect(
      await screen.findByRole('heading', { name: "We can't find that purchase" }),
    ).toBeVisible();
    expect(screen.getAllByRole('link', { name: 'Purchases' })).toHaveLength(2);
  });
});

describe('sums of a purchase', () => {
  it('are of the lines that are not canceled', () => {
    const [line] = aPurchase().lines;
    if (!line) throw new Error('A purchase has lines.');
    const lines = [
      { ...line, due: 0.1, paid: true },
      { ...line, due: 0.2 },
      { ...line, due: 0.1 },
      { ...line, due: 5, cancelled: true },
      { ...line, due: null },
    ];
    expect(remainingOf({ lines })).toBe(0.3);
    expect(paidOf({ lines })).toBe(0.1);
  });
});
