import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { Route, Routes } from 'react-router-dom';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { disc } from '@/testing/orders';
import { pricesOf } from '@/testing/prices';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import { ProductCard } from './components/product-card';
import ProductPage from './pages/product-page';

beforeEach(() => server.use(pricesOf()));

function show(user: typeof customer | null = customer) {
  const requested: string[] = [];
  server.use(
    http.get('http://shop.test/products/:id', ({ params }) => {
      requested.push(String(params.id));
      return HttpResponse.json(disc);
    }),
    http.get('http://shop.test/products/:id/reviews', () =>
      HttpResponse.json({ average: null, count: 0, reviews: [] }),
    ),
    http.get('http://shop.test/products/:id/numbers', () => HttpResponse.json([])),
    http.get('http://shop.test/products/:id/vehicles', () => HttpResponse.json([])),
    http.get('http://shop.test/garage', () => HttpResponse.json([])),
  );
  renderApp(
    <Routes>
      <Route path="/" element={<ProductCard product={disc} />} />
      <Route path="/product/:productId" element={<ProductPage />} />
    </Routes>,
    { user },
  );
  return { requested, link: screen.getByRole('link', { name: `Purchase ${disc.name}` }) };
}

afterEach(() => {
  Reflect.deleteProperty(navigator, 'connection');
});

describe('looking ahead to a product', () => {
  it.each([
    ['is pointed at', (link: HTMLElement) => fireEvent.pointerEnter(link)],
    ['gets the focus', (link: HTMLElement) => link.focus()],
    ['is touched', (link: HTMLElement) => fireEvent.touchStart(link)],
  ] as const)('asks for it when its link %s', async (_how, point) => {
    const { requested, link } = show();
    expect(requested).toEqual([]);
    point(link);
    await waitFor(() => expect(requested).toEqual([disc._id]));
  });

  it('asks once, and the page that is then opened need not ask again', async () => {
    const { requested, link } = show();
    const user = userEvent.setup();
    await user.hover(link);
    await user.unhover(link);
    await user.hover(link);
    link.focus();
    await waitFor(() => expect(requested).toEqual([disc._id]));
    await user.click(link);
    expect(screen.getByRole('heading', { level: 1, name: disc.name })).toBeVisible();
    expect(screen.queryByRole('status', { name: 'Loading product' })).not.toBeInTheDocument();
    expect(requested).toHaveLength(1);
  });

  it('asks nothing when the pointer only crosses the card', async () => {
    const { requested } = show();
    const name = screen.getByRole('link', { name: disc.name });
    fireEvent.pointerEnter(name);
    fireEvent.pointerLeave(name);
    await new Promise((done) => setTimeout(done, 120));
    expect(requested).toEqual([]);
  });

  it('asks nothing where data is to be spared', async () => {
    Object.defineProperty(navigator, 'connection', {
      value: { saveData: true },
      configurable: true,
    });
    const { requested, link } = show();
    fireEvent.pointerEnter(link);
    link.focus();
    await new Promise((done) => setTimeout(done, 120));
    expect(requested).toEqual([]);
  });

  it('asks nothing for a visitor, who is led to Login first', async () => {
    const { requested, link } = show(null);
    fireEvent.pointerEnter(link);
    await new Promise((done) => setTimeout(done, 120));
    expect(requested).toEqual([]);
  });
});
