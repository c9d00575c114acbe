import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Route, Routes, useLocation } from 'react-router-dom';
import { describe, expect, it } from 'vitest';
import type { Review } from '@/api/types';
import { disc, problem } from '@/testing/orders';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import { ProductReviews } from './components/product-reviews';

const review = (nth: number, details: Partial<Review> = {}): Review => ({
  _id: `r${nth}`,
  name: `Buyer ${nth}`,
  details: `Text ${nth}`,
  rating: 4,
  createdAt: '2026-03-01T10:00:00Z',
  verified: false,
  ...details,
});

/** Answers with the last of these reviews, as many as are asked for. */
function written(average: number | null, reviews: Review[]) {
  server.use(
    http.get('http://shop.test/products/:id/reviews', ({ request }) => {
      const limit = Number(new URL(request.url).searchParams.get('limit'));
      return HttpResponse.json({
        average,
        count: reviews.length,
        reviews: reviews.slice(-limit),
      });
    }),
  );
}

function Arrived() {
  return <output aria-label="state">{JSON.stringify(useLocation().state)}</output>;
}

const show = () =>
  renderApp(
    <Routes>
      <Route path="/" element={<ProductReviews product={disc} />} />
      <Route path="/dashboard/review" element={<Arrived />} />
    </Routes>,
    { user: customer },
  );

describe('the reviews of a part', () => {
  it('begin with the average, list the newest first and say who bought it', async () => {
    written(4.33, [
      review(1, { name: 'Ada', verified: true }),
      review(2, { name: 'Driveline', author: 'Rudi Rude' }),
    ]);
    show();
    expect(await screen.findByText('4.33 out of 5 · 2 reviews')).toBeVisible();
    const [newest, oldest] = screen.getAllByRole('listitem') as [HTMLElement, HTMLElement];
    expect(within(newest).getByText('Text 2')).toBeVisible();
    expect(within(newest).getByText('Rudi Rude')).toBeVisible();
    expect(within(newest).getByText('Signed "Driveline"')).toBeVisible();
    expect(within(newest).queryByText('Verified buyer')).toBeNull();
    expect(within(oldest).getByText('Ada')).toBeVisible();
    expect(within(oldest).getByText('Verified buyer')).toBeVisible();
    expect(within(oldest).getByText('Mar 1, 2026')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Show more reviews' })).toBeNull();
  });

  it('show ten at first, and the others at the asking', async () => {
    const all = Array.from({ length: 12 }, (_, nth) => review(nth));
    written(4, all);
    const user = userEvent.setup();
    show();
    expect(await screen.findAllByRole('listitem')).toHaveLength(10);
    await user.click(screen.getByRole('button', { name: 'Show more reviews' }));
    expect(await screen.findByText('Text 0')).toBeVisible();
    expect(screen.getAllByRole('listitem')).toHaveLength(12);
  });

  it('say that there are none, and lead to the form with the part', async () => {
    written(null, []);
    const user = userEvent.setup();
    show();
    expect(await screen.findByText(/No reviews yet/)).toBeVisible();
    await user.click(screen.getByRole('link', { name: 'Review this part' }));
    const state = JSON.parse(screen.getByRole('status', { name: 'state' }).textContent ?? '');
    expect(state).toEqual({ part: { id: disc._id, name: disc.name } });
  });

  it('can be asked for again when they did not come', async () => {
    server.use(
      http.get(
        'http://shop.test/products/:id/reviews',
        () => HttpResponse.json(problem('defect', 500, 'Something went wrong'), { status: 500 }),
        { once: true },
      ),
    );
    const user = userEvent.setup();
    show();
    const again = await screen.findByRole('button', { name: /Retry|Try again/ });
    written(5, [review(1)]);
    await user.click(again);
    expect(await screen.findByText('5 out of 5 · 1 review')).toBeVisible();
  });
});
