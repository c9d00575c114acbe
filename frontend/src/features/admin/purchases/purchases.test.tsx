import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { countries, depot } from '@/features/addresses/fixture';
import type { PurchaseLine } from '@/features/checkout/wire';
import { catchDownloads } from '@/testing/downloads';
import { problem } from '@/testing/orders';
import { pageOf } from '@/testing/pages';
import { address, customer as admin, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import PurchasePage from './pages/purchase-page';
import PurchasesPage from './pages/purchases-page';
import type { AnyPurchase, ListedPurchase } from './wire';

const contact = { name: 'Casey Lane', phone: '555 0100', email: 'casey@example.com' };

const listed: ListedPurchase = {
  _id: 'c1',
  number: 'P-1007',
  placedAt: '2026-11-20T12:00:00Z',
  poNumber: 'PO 4711',
  lines: 3,
  standing: 2,
  goods: 900,
  shipping: 15,
  tax: 0,
  due: 915,
  paid: false,
  state: 'unpaid',
  name: contact.name,
  email: contact.email,
  shipped: 1,
  terms: 'card',
};

function aLine(line: number, facts: Partial<PurchaseLine> = {}): PurchaseLine {
  return {
    line,
    orderId: `o${line}`,
    productId: `p${line}`,
    name: `Part ${line}`,
    partNumber: `DL-${line}`,
    img: '/pictures/x.webp',
    quantity: 50,
    unit: 6,
    price: 300,
    due: 305,
    paid: true,
    status: 'Pending',
    cancelled: false,
    refunded: null,
    ...facts,
  };
}

function aPurchase(facts: Partial<AnyPurchase> = {}): AnyPurchase {
  const { name: _name, email: _email, shipped: _shipped, lines: _lines, ...rest } = listed;
  return {
    ...rest,
    checkoutId: listed._id,
    note: null,
    contact,
    address: depot,
    terms: 'card',
    shippingMethod: 'Ground',
    lines: [aLine(1), aLine(2, { status: 'paid' }), aLine(3, { cancelled: true, refunded: 300 })],
    taxes: [],
    reservedUntil: null,
    invoices: [],
    ...facts,
  };
}

function show(at: string) {
  renderScreens(
    {
      '/dashboard/allPurchases': <PurchasesPage />,
      '/dashboard/allPurchases/:purchaseId': <PurchasePage />,
    },
    { user: admin, at },
  );
}

function listOf(purchases: ListedPurchase[]) {
  const asked: string[] = [];
  server.use(
    http.get('http://shop.test/allCheckouts', ({ request }) => {
      asked.push(new URL(request.url).search);
      return pageOf(purchases, request);
    }),
  );
  return asked;
}

function one(purchase: () => AnyPurchase) {
  server.use(
    http.get('http://shop.test/countries', () => HttpResponse.json(countries)),
    http.get('http://shop.test/checkouts/:id', ({ params }) =>
      params.id === 'c1'
        ? HttpResponse.json(purchase())
        : HttpResponse.json(problem('not-found', 404, 'No such checkout.'), { status: 404 }),
    ),
  );
}

describe('all purchases', () => {
  it('say whose they are, what is due and how they stand', async () => {
    listOf([
      listed,
      { ...listed, _id: 'c2', standing: 3, state: 'waiting', shipping: null, due: null },
    ]);
    show('/dashboard/allPurchases');
    const table = await screen.findByRole('table', { name: 'Purchases' });
    const [first, second] = within(table).getAllByRole('row').slice(1);
    expect(first).toHaveTextContent(
      /P-1007Nov 20, 2026.*Casey Lane.*casey@example\.com.*PO 4711.*2 of 3 lines1 shipped.*\$915\.00.*Not paid yet/,
    );
    expect(second).toHaveTextContent(/3 lines.*Freight to be set.*Waiting for freight/);
    expect(within(first as HTMLElement).getByRole('link', { name: 'P-1007' })).toHaveAttribute(
      'href',
      '/dashboard/allPurchases/c1',
    );
  });

  it('are searched and filtered on the server, and the address says so', async () => {
    const asked = listOf([listed]);
    show('/dashboard/allPurchases');
    await userEvent.selectOptions(await screen.findByLabelText('Status'), 'Waiting for freight');
    await waitFor(() => expect(asked).toContain('?state=waiting&limit=20'));
    await userEvent.type(screen.getByRole('searchbox'), 'PO 4711');
    await waitFor(() => expect(asked.at(-1)).toBe('?q=PO+4711&state=waiting&limit=20'));
    expect(address()).toBe('/dashboard/allPurchases?q=PO+4711&state=waiting');
    expect(screen.queryByLabelText('Sort by')).toBeNull();
  });

  it('print the packing slips of those that are to be packed', async () => {
    const saved = catchDownloads();
    const asked: string[] = [];
    server.use(
      http.get('http://shop.test/allCheckouts/packing-slips.pdf', ({ request }) => {
        asked.push(new URL(request.url).search);
        return new HttpResponse('%PDF', {
          headers: { 'Content-Disposition': 'inline; filename="packing-slips.pdf"' },
        });
      }),
    );
    listOf([
      { ...listed, _id: 'unpaid' },
      { ...listed, _id: 'one', state: 'paid' },
      { ...listed, _id: 'shipped', state: 'paid', shipped: 2 },
      { ...listed, _id: 'two', state: 'paid', shipped: 0 },
    ]);
    show('/dashboard/allPurchases');
    await userEvent.click(await screen.findByRole('button', { name: 'Print 2 packing slips' }));
    await waitFor(() => expect(saved.map(({ name }) => name)).toEqual(['packing-slips.pdf']));
    expect(asked).toEqual(['?ids=one%2Ctwo']);
  });

  it('say so while there are none', async () => {
    listOf([]);
    show('/dashboard/allPurchases');
    expect(await screen.findByRole('heading', { name: 'No purchases yet' })).toBeVisible();
  });
});

describe('a purchase', () => {
  it('shows its lines with the way to their orders, where it goes and what it comes to', async () => {
    one(() =>
      aPurchase({
        taxes: [{ name: 'Sales tax', basisPoints: 575, base: 915, tax: 52.61 }],
        tax: 52.61,
        due: 967.61,
      }),
    );
    show('/dashboard/allPurchases/c1');
    const table = await screen.findByRole('table', { name: 'Lines' });
    const rows = within(table).getAllByRole('row').slice(1);
    expect(rows.map((row) => within(row).getAllByRole('cell').at(-1)?.textContent)).toEqual([
      'Ready to ship',
      'Shipped',
      'Canceled$300.00 refunded',
    ]);
    expect(within(table).getByRole('link', { name: 'Part 1' })).toHaveAttribute(
      'href',
      '/dashboard/order/o1',
    );
    const sums = screen.getByRole('region', { name: 'Total' });
    expect(sums).toHaveTextContent('Goods$900.00Freight$15.00Sales tax 5.75%$52.61Due$967.61');
    await waitFor(() =>
      expect(screen.getByText('Ship to').nextElementSibling?.textContent).toBe(
        'Lane Garage\n7 Camshaft Bay\nToledo OH 43604\nUnited States',
      ),
    );
    expect(screen.getByText('PO number').nextElementSibling).toHaveTextContent('PO 4711');
    expect(screen.queryByRole('region', { name: 'Set the freight' })).toBeNull();
  });

  it('that waits takes the figure for its freight', async () => {
    let purchase = aPurchase({ state: 'waiting', shipping: null, tax: null, due: null });
    const sent: unknown[] = [];
    one(() => purchase);
    server.use(
      http.put('http://shop.test/checkouts/:id/shipping', async ({ request, params }) => {
        sent.push({ id: params.id, ...((await request.json()) as object) });
        purchase = aPurchase({ state: 'unpaid', shipping: 180, due: 1080 });
        return HttpResponse.json({ modifiedCount: 1 });
      }),
    );
    show('/dashboard/allPurchases/c1');
    const form = within(await screen.findByRole('region', { name: 'Set the freight' }));
    await userEvent.click(form.getByRole('button', { name: 'Set freight' }));
    expect(await form.findByText('Freight is required')).toBeVisible();
    await userEvent.type(form.getByLabelText('Freight in dollars'), '180.001');
    await userEvent.click(form.getByRole('button', { name: 'Set freight' }));
    expect(await form.findByText('Use at most 2 decimals')).toBeVisible();
    expect(sent).toEqual([]);
    await userEvent.type(form.getByLabelText('Freight in dollars'), '{Backspace}');
    await userEvent.click(form.getByRole('button', { name: 'Set freight' }));
    await waitFor(() =>
      expect(screen.getByRole('region', { name: 'Total' })).toHaveTextContent('Due$1,080.00'),
    );
    expect(sent).toEqual([{ id: 'c1', price: 180 }]);
    expect(screen.queryByRole('region', { name: 'Set the freight' })).toBeNull();
  });

  it('ships what is paid after one question', async () => {
    let lines = [aLine(1), aLine(2), aLine(3, { paid: false }), aLine(4, { status: 'paid' })];
    const shipped: unknown[] = [];
    one(() => aPurchase({ lines }));
    server.use(
      http.put('http://shop.test/orders/status/:id', ({ params }) => {
        shipped.push(params.id);
        lines = lines.map((line) =>
          line.orderId === params.id ? { ...line, status: 'paid' } : line,
        );
        return HttpResponse.json({ modifiedCount: 1 });
      }),
    );
    show('/dashboard/allPurchases/c1');
    await userEvent.click(await screen.findByRole('button', { name: /^Ship 2 lines/ }));
    expect(screen.getByText('Ship 2 lines to Casey Lane?')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Yes' }));
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Ship 2/ })).toBeNull());
    expect(shipped).toEqual(['o1', 'o2']);
  });

  it('hands out its documents', async () => {
    const saved = catchDownloads();
    const asked: string[] = [];
    one(() =>
      aPurchase({
        invoices: [{ id: 'i1', number: 'INV-12', kind: 'invoice', url: '/invoices/i1.pdf' }],
      }),
    );
    const file = ({ request }: { request: Request }) => {
      asked.push(new URL(request.url).pathname);
      return HttpResponse.text('%PDF', {
        headers: { 'Content-Disposition': 'attachment; filename="INV-12.pdf"' },
      });
    };
    server.use(
      http.get('http://shop.test/invoices/:file', file),
      http.get('http://shop.test/checkouts/:id/:file', file),
    );
    show('/dashboard/allPurchases/c1');
    await userEvent.click(await screen.findByRole('button', { name: /^PDF\s*Invoice INV-12/ }));
    await userEvent.click(screen.getByRole('button', { name: /^XML\s*Invoice INV-12/ }));
    await userEvent.click(screen.getByRole('button', { name: /^Packing slip/ }));
    await userEvent.click(screen.getByRole('button', { name: /^Order confirmation/ }));
    await waitFor(() => expect(saved).toHaveLength(4));
    expect(saved[0]?.name).toBe('INV-12.pdf');
    expect(asked).toEqual([
      '/invoices/i1.pdf',
      '/invoices/i1.xml',
      '/checkouts/c1/packing-slip.pdf',
      '/checkouts/c1/confirmation.pdf',
    ]);
  });

  it('that is not there says so', async () => {
    one(aPurchase);
    show('/dashboard/allPurchases/c9');
    expect(
      await screen.findByRole('heading', { name: "We can't find that purchase" }),
    ).toBeVisible();
  });
});
