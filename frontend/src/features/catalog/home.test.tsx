import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { bring } from '@/testing/first-data';
import { disc } from '@/testing/orders';
import { renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import HomePage from './pages/home-page';

const review = {
  _id: '01900000-0000-7000-8000-0000000000r1',
  name: 'Casey Lane',
  details: 'Arrived true, ran true.',
  rating: 5,
  createdAt: '2026-03-01T10:00:00Z',
  verified: true,
  productId: disc._id,
  productName: disc.name,
};

describe('Home with what its page brought', () => {
  it('shows deals and reviews without a call', async () => {
    bring([
      { url: '/products?limit=4', body: [disc] },
      { url: '/reviews?limit=3', body: [review] },
    ]);
    renderApp(<HomePage />);
    expect(await screen.findByText(review.details)).toBeVisible();
    const deals = screen.getByRole('region', { name: 'Top Hot Deals' });
    expect(within(deals).getByRole('link', { name: `Purchase ${disc.name}` })).toBeVisible();
    expect(screen.queryByText('Loading…')).toBeNull();
  });

  it('says whose a review is, whether they bought, and of which part it is', async () => {
    const signed = {
      ...review,
      _id: 'r2',
      author: 'Robin Vale',
      verified: false,
      details: 'Fine.',
    };
    bring([
      { url: '/products?limit=4', body: [disc] },
      { url: '/reviews?limit=3', body: [signed, review] },
    ]);
    renderApp(<HomePage />);
    const [other, own] = within(
      await screen.findByRole('region', { name: 'Our customers reviews' }),
    ).getAllByRole('listitem') as [HTMLElement, HTMLElement];
    expect(within(own).getByText('Casey Lane')).toBeVisible();
    expect(within(own).getByText('Verified buyer')).toBeVisible();
    expect(within(own).getByRole('link', { name: disc.name })).toHaveAttribute(
      'href',
      `/product/${disc._id}`,
    );
    expect(within(other).getByText('Robin Vale')).toBeVisible();
    expect(within(other).getByText('Signed "Casey Lane"')).toBeVisible();
    expect(within(other).queryByText('Verified buyer')).toBeNull();
  });

  it('asks for what the page could not bring', async () => {
    bring([{ url: '/products?limit=4', body: [disc] }]);
    server.use(http.get('*/reviews', () => HttpResponse.json([review])));
    renderApp(<HomePage />);
    expect(await screen.findByText(review.details)).toBeVisible();
    expect(screen.getByRole('link', { name: `Purchase ${disc.name}` })).toBeVisible();
  });
});
