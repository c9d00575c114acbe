import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import type { Attention } from '@/api/types';
import { problem } from '@/testing/orders';
import { renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import AttentionPage from './pages/attention-page';

const failed: Attention = {
  kind: 'refundFailed',
  id: 'r1',
  orderId: 'o1',
  productName: 'Brake disc',
  name: 'Casey Moor',
  email: 'casey@example.com',
  transactionId: 'pi_1',
  amount: 125,
  total: 125,
  shipped: false,
  cancelled: true,
  reason: 'expired_or_canceled_card',
  since: '2026-11-21T10:00:00Z',
};

function shop(matters: Attention[]) {
  const calls: { path: string; body: unknown }[] = [];
  const base = 'http://shop.test';
  let list = matters;
  server.use(
    http.get(`${base}/attention`, () => HttpResponse.json(list)),
    http.post(`${base}/attention/*`, async ({ request }) => {
      const text = await request.text();
      calls.push({ path: new URL(request.url).pathname, body: text ? JSON.parse(text) : null });
      list = [];
      return HttpResponse.json({ modifiedCount: 1 });
    }),
  );
  return calls;
}

describe('Needs attention', () => {
  it('says so when nothing does', async () => {
    shop([]);
    renderApp(<AttentionPage />);
    expect(
      await screen.findByRole('heading', { name: 'Nothing needs your attention' }),
    ).toBeVisible();
  });

  it('says what is wrong with whose money, and why', async () => {
    shop([
      failed,
      { ...failed, kind: 'disputed', id: 'dp_1', cancelled: false, reason: 'fraudulent' },
      { ...failed, kind: 'refundedElsewhere', id: 'r2', cancelled: false, reason: null },
    ]);
    renderApp(<AttentionPage />);
    expect(await screen.findByRole('heading', { name: /Refund failed/ })).toBeVisible();
    expect(screen.getByText('expired or canceled card')).toBeVisible();
    expect(screen.getByRole('heading', { name: /Payment disputed/ })).toBeVisible();
    expect(screen.getByText(/can't ship until you win the dispute/)).toBeVisible();
    expect(screen.getByText(/Refund the rest on the order/)).toBeVisible();
  });

  it('sends a refund again after the question', async () => {
    const calls = shop([failed]);
    renderApp(<AttentionPage />);
    await userEvent.click(await screen.findByRole('button', { name: /^Send again/ }));
    const question = await screen.findByRole('alertdialog');
    await userEvent.click(within(question).getByRole('button', { name: 'Yes' }));
    expect(await screen.findByText('The refund is being sent again.')).toBeVisible();
    expect(
      await screen.findByRole('heading', { name: 'Nothing needs your attention' }),
    ).toBeVisible();
    expect(calls).toEqual([{ path: '/attention/refunds/r1/retry', body: null }]);
  });

  it('records a bank transfer with its reference, which has to be there', async () => {
    const calls = shop([failed]);
    renderApp(<AttentionPage />);
    await userEvent.click(await screen.findByRole('button', { name: /^Record bank transfer/ }));
    const dialog = await screen.findByRole('dialog');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Record transfer' }));
    expect(await within(dialog).findByText('Reference is required')).toBeVisible();
    await userEvent.type(within(dialog).getByLabelText('Reference'), ' SEPA 4711 ');
    await userEvent.click(within(dialog).getByRole('button', { name: 'Record transfer' }));
    expect(await screen.findByText('Bank transfer recorded.')).toBeVisible();
    expect(calls).toEqual([
      { path: '/attention/refunds/r1/bank-transfer', body: { reference: 'SEPA 4711' } },
    ]);
  });

  it('keeps the question open when the shop refuses', async () => {
    shop([{ ...failed, kind: 'mismatched', id: 'pi_1' }]);
    server.use(
      http.post('http://shop.test/attention/payments/pi_1/send-back', () =>
        HttpResponse.json(
          problem('conflict', 409, 'There is nothing left to do about this; please look again'),
          { status: 409 },
        ),
      ),
    );
    renderApp(<AttentionPage />);
    await userEvent.click(await screen.findByRole('button', { name: /^Send money back/ }));
    const question = await screen.findByRole('alertdialog');
    await userEvent.click(within(question).getByRole('button', { name: 'Yes' }));
    expect(await within(question).findByText(/There is nothing left to do/)).toBeVisible();
  });
});
