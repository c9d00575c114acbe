import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { countries } from '@/features/addresses/fixture';
import { problem } from '@/testing/orders';
import { customer as admin, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import SellerPage from './pages/seller-page';
import type { Seller } from './wire';

const vale: Seller = {
  name: 'Vale Parts LLC',
  line1: '7 Camshaft Bay',
  city: 'Toledo',
  region: 'OH',
  postcode: '43604',
  country: 'US',
  email: 'billing@vale.example',
  terms: 'Due in 30 days.',
};

function shop(seller: Seller | null) {
  const sent: unknown[] = [];
  server.use(
    http.get('http://shop.test/countries', () => HttpResponse.json(countries)),
    http.get('http://shop.test/seller', () =>
      seller
        ? HttpResponse.json(seller)
        : HttpResponse.json(problem('not-found', 404, 'Nothing yet.'), { status: 404 }),
    ),
    http.put('http://shop.test/seller', async ({ request }) => {
      sent.push(await request.json());
      return HttpResponse.json({ modifiedCount: 1 });
    }),
  );
  return sent;
}

const show = () => renderApp(<SellerPage />, { user: admin });
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save seller details' }));

describe('the seller', () => {
  it('is filled in with what is known, and saved with what was changed', async () => {
    const sent = shop(vale);
    show();
    expect(await screen.findByLabelText('Company name')).toHaveValue('Vale Parts LLC');
    expect(screen.getByLabelText('Terms')).toHaveValue('Due in 30 days.');
    expect(screen.queryByLabelText('Company')).toBeNull();
    await userEvent.clear(screen.getByLabelText('Terms'));
    await userEvent.type(screen.getByLabelText('Tax ID'), ' 12-3456789 ');
    await save();
    const { terms: _terms, ...rest } = vale;
    await waitFor(() => expect(sent).toEqual([{ ...rest, taxId: '12-3456789' }]));
  });

  it('says that nothing is saved yet, and what is missing', async () => {
    const sent = shop(null);
    show();
    expect(await screen.findByText(/^Nothing is saved yet\./)).toBeVisible();
    await userEvent.type(screen.getByLabelText('Email'), 'billing');
    await save();
    expect(await screen.findByText('Company name is required')).toBeVisible();
    expect(screen.getByText('ZIP code is required')).toBeVisible();
    expect(screen.getByText('State is required')).toBeVisible();
    expect(screen.getByText('Enter an email address')).toBeVisible();
    expect(sent).toEqual([]);
  });

  it('says that it failed, and asks again', async () => {
    shop(vale);
    server.use(
      http.get(
        'http://shop.test/seller',
        () => HttpResponse.json(problem('internal', 500, 'The shop stumbled.'), { status: 500 }),
        { once: true },
      ),
    );
    show();
    expect(await screen.findByText("We couldn't load the seller details")).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByLabelText('Company name')).toHaveValue('Vale Parts LLC');
  });
});
