import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { anOrder, paidWith, problem } from '@/testing/orders';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import { takeNotices } from '@/ui/notify';
import { OrderDocuments } from './components/order-documents';
import type { IssuedDocument } from './wire';

const order = anOrder(paidWith('pi_1'));
const invoice: IssuedDocument = {
  _id: 'i1',
  number: 'INV-12',
  kind: 'invoice',
  issuedAt: '2026-11-20T12:00:00Z',
  orderId: order._id,
  total: 6450,
  url: '/invoices/i1.pdf',
};

function show(documents: IssuedDocument[], admin = false, checkoutId?: string) {
  const asked: (string | null)[] = [];
  server.use(
    http.get('http://shop.test/invoices', ({ request }) => {
      asked.push(new URL(request.url).searchParams.get('email'));
      return HttpResponse.json(documents);
    }),
  );
  const shown = checkoutId === undefined ? order : Object.assign({}, order, { checkoutId });
  renderApp(<OrderDocuments order={shown} admin={admin} className="" />, { user: customer });
  return asked;
}

describe('the documents of an order', () => {
  it('are its own, each with its day and its total', async () => {
    const asked = show([
      invoice,
      { ...invoice, _id: 'i2', number: 'CN-1', kind: 'credit', total: -100 },
      { ...invoice, _id: 'i3', number: 'INV-99', orderId: 'another' },
    ]);
    expect(await screen.findByText('Invoice INV-12', { selector: 'p' })).toBeVisible();
    expect(screen.getByText('Credit note CN-1', { selector: 'p' })).toBeVisible();
    expect(screen.getByText('Nov 20, 2026 · $6,450.00')).toBeVisible();
    expect(screen.queryByText(/INV-99/)).toBeNull();
    expect(asked).toEqual([order.email]);
    expect(screen.queryByRole('button', { name: /^Packing slip/ })).toBeNull();
  });

  it('are those of its purchase, where it is a line of one', async () => {
    show([{ ...invoice, orderId: null, checkoutId: 'c1' }], true, 'c1');
    expect(await screen.findByText('Invoice INV-12', { selector: 'p' })).toBeVisible();
    expect(screen.getByRole('button', { name: /^Packing slip/ })).toBeVisible();
  });

  it('say when they are issued while there are none', async () => {
    show([]);
    expect(await screen.findByText(/^No documents yet\./)).toBeVisible();
  });

  it('say why one could not be downloaded', async () => {
    show([invoice]);
    server.use(
      http.get('http://shop.test/invoices/i1.pdf', () =>
        HttpResponse.json(problem('not-found', 404, 'No such document.'), { status: 404 }),
      ),
    );
    await userEvent.click(await screen.findByRole('button', { name: /^PDF/ }));
    await screen.findByRole('button', { name: /^PDF/, busy: false });
    expect(takeNotices()).toEqual([
      {
        tone: 'error',
        text: "We couldn't download Invoice INV-12 (PDF). No such document.",
      },
    ]);
  });
});
