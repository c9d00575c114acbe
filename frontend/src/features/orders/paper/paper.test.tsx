import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Order } from '@/api/types';
import { aConfig } from '@/testing/config';
import { anOrder, paidWith } from '@/testing/orders';
import { renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import { PrintOrder } from './print-order';

/** The buttons, once the shop has said who sells. */
async function show(order: Order) {
  const config = vi.fn(() => HttpResponse.json(aConfig()));
  server.use(http.get('*/config', config));
  renderApp(<PrintOrder order={order} kinds={['summary', 'note']} />);
  await vi.waitFor(() => expect(config).toHaveBeenCalled());
  await act(() => new Promise((done) => setTimeout(done, 20)));
}

const paper = () => within(screen.getByRole('article'));
const cells = (row: number) =>
  within(paper().getAllByRole('row')[row] as HTMLElement)
    .getAllByRole('cell')
    .map((cell) => cell.textContent);

/** What the browser's own command does before and after it prints. */
const browser = (moment: 'beforeprint' | 'afterprint') =>
  act(() => void window.dispatchEvent(new Event(moment)));

describe('A printed order', () => {
  afterEach(() => void vi.restoreAllMocks());

  it('is a summary with the seller, each price and the total', async () => {
    const print = vi.spyOn(window, 'print').mockImplementation(() => {
      // The paper is there when the browser looks at the page.
      expect(screen.getByRole('article', { name: 'Order summary' })).toBeVisible();
    });
    await show(anOrder({ ...paidWith('pi_1'), paidAt: '2026-03-02T10:00:00Z' }));
    await userEvent.click(screen.getByRole('button', { name: 'Print order summary' }));
    expect(print).toHaveBeenCalledOnce();
    expect(paper().getByText('Vale Parts LLC')).toBeVisible();
    expect(paper().getByText('7 Camshaft Bay, Gearton')).toBeVisible();
    expect(paper().getByText('1 Workshop Lane')).toBeVisible();
    expect(paper().getByText('DL-10428')).toBeVisible();
    expect(cells(1)).toEqual([
      'DL-1000',
      'Vented Brake Disc 320 mm Front',
      '50',
      '$129.00',
      '$6,450.00',
    ]);
    expect(cells(2)).toEqual(['Total (USD)', '$6,450.00']);
    expect(paper().getByText('Paid in full on Mar 2, 2026')).toBeVisible();
    expect(paper().getByText('Transaction id pi_1')).toBeVisible();
    expect(paper().getByText(/not a tax invoice/)).toBeVisible();
  });

  it('is a delivery note without any price', async () => {
    vi.spyOn(window, 'print').mockImplementation(() => undefined);
    await show(anOrder());
    await userEvent.click(screen.getByRole('button', { name: 'Print delivery note' }));
    expect(screen.getByRole('article', { name: 'Delivery note' })).not.toHaveTextContent('$');
    expect(cells(1)).toEqual(['DL-1000', 'Vented Brake Disc 320 mm Front', '50']);
    expect(paper().getByText('Received in full and undamaged')).toBeVisible();
  });

  it("is what the browser's own command prints, and gone after it", async () => {
    await show(anOrder());
    expect(screen.queryByRole('article')).toBeNull();
    browser('beforeprint');
    expect(screen.getByRole('article', { name: 'Order summary' })).toBeVisible();
    browser('afterprint');
    expect(screen.queryByRole('article')).toBeNull();
  });

  it.each<[string, Partial<Order>]>([
    ['Not paid yet. Your units are reserved until', { reservedUntil: '2026-03-02T10:00:00Z' }],
    ['Not paid yet, shipped on account', { status: 'paid', shippedAt: '2026-03-02T10:00:00Z' }],
    ['Canceled on Mar 2, 2026, nothing to pay', { cancelledAt: '2026-03-02T10:00:00Z' }],
    [
      'Refunded',
      { payment: { product: 'o', transactionId: 'pi_1', status: 'refunded' }, paid: false },
    ],
  ])('says of the payment: %s', async (said, facts) => {
    await show(anOrder(facts));
    browser('beforeprint');
    expect(screen.getByRole('article')).toHaveTextContent(said);
  });
});
