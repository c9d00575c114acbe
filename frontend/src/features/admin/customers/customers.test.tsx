import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import type { Customer, Order } from '@/api/types';
import { countries } from '@/features/addresses/fixture';
import { anOrder, problem } from '@/testing/orders';
import { pageOf } from '@/testing/pages';
import { customer as admin, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import { takeNotices } from '@/ui/notify';
import CustomerPage from './pages/customer-page';

const dana: Customer = {
  email: "dana+o'shop@example.com",
  displayName: 'Dana Reed',
  role: 'customer',
  verified: false,
  createdAt: '2026-01-05T10:00:00Z',
  orders: {
    readyToShip: 1,
    awaitingPayment: 2,
    shipped: 8,
    refunded: 0,
    cancelled: 1,
    all: 12,
  },
  spent: 1234.5,
  firstOrderAt: '2026-01-06T10:00:00Z',
  lastOrderAt: null,
};

const exemption = {
  _id: 'e1',
  email: dana.email,
  kind: 'resale',
  country: 'US',
  region: 'OH',
  number: 'R-1',
  validUntil: null,
  state: 'valid',
};

const fleet = {
  _id: 'p1',
  name: 'Fleet',
  percent: 10,
  priority: 1,
  validFrom: null,
  validUntil: null,
  accounts: 1,
  prices: 0,
};

const invoice = {
  _id: 'i1',
  number: 'INV-12',
  kind: 'invoice',
  issuedAt: '2026-11-20T12:00:00Z',
  total: 99,
  url: '/invoices/i1.pdf',
};

const purchase = {
  _id: 'c1',
  number: 'P-1001',
  placedAt: '2026-11-20T12:00:00Z',
  name: 'Dana Reed',
  email: dana.email,
  poNumber: 'PO-4711',
  lines: 3,
  standing: 2,
  shipped: 0,
  goods: 90,
  shipping: 9,
  tax: 0,
  taxes: [],
  due: 99,
  paid: true,
  state: 'paid',
  terms: 'card',
};

const depot = {
  _id: 'a1',
  name: 'Depot',
  phone: null,
  line1: '1 Long Road',
  city: 'Springfield',
  region: 'IL',
  postcode: '62701',
  country: 'US',
  isDefault: true,
};

function shop(orders: Order[]) {
  const requested: URLSearchParams[] = [];
  const accounts: Record<string, string[]> = { p1: [dana.email], p2: ['other@example.com'] };
  server.use(
    http.get('http://shop.test/user/:email', ({ params }) =>
      params.email === dana.email
        ? HttpResponse.json(dana)
        : HttpResponse.json(problem('not-found', 404, 'Not found'), { status: 404 }),
    ),
    http.get('http://shop.test/user/:email/notes', () => HttpResponse.json([])),
    http.get('http://shop.test/countries', () => HttpResponse.json(countries)),
    http.get('http://shop.test/price-lists', () =>
      HttpResponse.json([fleet, { ...fleet, _id: 'p2', name: 'Others' }]),
    ),
    http.get('http://shop.test/price-lists/:id/accounts', ({ params }) =>
      HttpResponse.json({ emails: accounts[String(params.id)] }),
    ),
    http.put('http://shop.test/price-lists/:id/accounts', async ({ params, request }) => {
      const { emails } = (await request.json()) as { emails: string[] };
      accounts[String(params.id)] = emails;
      return HttpResponse.json({ modifiedCount: 1 });
    }),
    http.get('http://shop.test/checkouts', ({ request }) =>
      pageOf(
        new URL(request.url).searchParams.get('email') === dana.email ? [purchase] : [],
        request,
      ),
    ),
    http.get('http://shop.test/user/:email/addresses', () => HttpResponse.json([depot])),
    http.get('http://shop.test/exemptions', () =>
      HttpResponse.json([exemption, { ...exemption, _id: 'e2', email: 'other@example.com' }]),
    ),
    http.get('http://shop.test/invoices', ({ request }) => {
      const email = new URL(request.url).searchParams.get('email');
      return HttpResponse.json(email === dana.email ? [invoice] : []);
    }),
    http.get('http://shop.test/allOrders', ({ request }) => {
      requested.push(new URL(request.url).searchParams);
      return pageOf(orders, request);
    }),
  );
  return { requested, accounts };
}

function show(email: string) {
  renderScreens(
    { '/dashboard/users/:email': <CustomerPage /> },
    { user: admin, at: `/dashboard/users/${encodeURIComponent(email)}` },
  );
}

function factOf(name: string) {
  return screen.getByText(name, { selector: 'dt' }).nextElementSibling?.textContent;
}

describe('Customer', () => {
  it('shows who it is, what they ordered and what they spent', async () => {
    const others = { _id: 'o2', email: `x${dana.email}`, productName: 'Of somebody else' };
    const { requested } = shop([
      anOrder({ email: dana.email, cancelledAt: '2026-03-02T10:00:00Z' }),
      anOrder(others),
    ]);
    show(dana.email);
    expect(await screen.findByRole('heading', { level: 1, name: 'Dana Reed' })).toBeVisible();
    expect(screen.getByText('Not verified')).toBeVisible();
    expect(factOf('Spent')).toBe('$1,234.50');
    expect(factOf('Customer since')).toBe('Jan 5, 2026');
    expect(factOf('Latest order')).toBe('None yet');
    expect([factOf('Ready to ship'), factOf('Awaiting payment'), factOf('All orders')]).toEqual([
      '1',
      '2',
      '12',
    ]);
    const table = await screen.findByRole('table', { name: 'Orders of Dana Reed' });
    expect(within(table).getAllByRole('row')).toHaveLength(2);
    expect(screen.queryByText('Of somebody else')).toBeNull();
    expect([requested[0]?.get('q'), requested[0]?.get('state')]).toEqual([dana.email, 'all']);
    expect(screen.getByRole('link', { name: 'Show all 12 orders' })).toHaveAttribute(
      'href',
      `/dashboard/allOrderList?${new URLSearchParams({ q: dana.email, state: 'all' })}`,
    );
    expect(await screen.findByText('No notes yet.')).toBeVisible();
    const lists = within(await screen.findByRole('list', { name: 'Price lists' }));
    expect(await lists.findByRole('listitem')).toHaveTextContent('Fleet 10% off · Always');
    const exemptions = await screen.findByRole('table', { name: 'Exemptions' });
    expect(within(exemptions).getAllByRole('row')).toHaveLength(2);
    expect(exemptions).toHaveTextContent('R-1');
    expect(await screen.findByText('Invoice INV-12', { selector: 'p' })).toBeVisible();
    expect(screen.getByText('Nov 20, 2026 · $99.00')).toBeVisible();
    const bought = within(await screen.findByRole('table', { name: 'Purchases of Dana Reed' }));
    expect(bought.getByRole('link', { name: 'P-1001' })).toHaveAttribute(
      'href',
      '/dashboard/allPurchases/c1',
    );
    expect(bought.getByText('PO-4711')).toBeVisible();
    const book = await screen.findByRole('list', { name: 'Address book' });
    await waitFor(() =>
      expect(book).toHaveTextContent(
        'Depot Default1 Long Road, Springfield IL 62701, United States',
      ),
    );
  });

  it('gives the customer a price list, and takes one away, and keeps the others on it', async () => {
    const { accounts } = shop([]);
    show(dana.email);
    const lists = within(await screen.findByRole('list', { name: 'Price lists' }));
    await userEvent.selectOptions(screen.getByLabelText('Give a price list'), 'Others');
    await userEvent.click(screen.getByRole('button', { name: 'Give' }));
    await waitFor(() => expect(takeNotices()[0]?.text).toBe('This customer buys by Others now.'));
    expect(accounts.p2).toEqual(['other@example.com', dana.email]);
    await waitFor(() => expect(lists.getAllByRole('listitem')).toHaveLength(2));
    await userEvent.click(screen.getByRole('button', { name: 'Take away Fleet' }));
    await waitFor(() =>
      expect(takeNotices()[0]?.text).toBe('This customer no longer buys by Fleet.'),
    );
    expect(accounts.p1).toEqual([]);
    await waitFor(() => expect(lists.getAllByRole('listitem')).toHaveLength(1));
  });

  it('says that there is no such customer', async () => {
    shop([]);
    show('nobody@example.com');
    expect(
      await screen.findByRole('heading', { name: "We can't find that customer" }),
    ).toBeVisible();
    expect(screen.getAllByRole('link', { name: 'All users' })[0]).toHaveAttribute(
      'href',
      '/dashboard/users',
    );
  });
});
