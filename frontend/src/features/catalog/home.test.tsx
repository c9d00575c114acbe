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

  it('asks for what the page could not bring', async () => {
    bring([{ url: '/products?limit=4', body: [disc] }]);
    server.use(http.get('*/reviews', () => HttpResponse.json([review])));
    renderApp(<HomePage />);
    expect(await screen.findByText(review.details)).toBeVisible();
    expect(screen.getByRole('link', { name: `Purchase ${disc.name}` })).toBeVisible();
  });
});
