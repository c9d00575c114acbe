import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { useLocation, useNavigate } from 'react-router-dom';
import { beforeEach, describe, expect, it } from 'vitest';
import { api } from '@/api/api';
import type { Product, Review } from '@/api/types';
import { someFacets } from '@/testing/facets';
import { aProduct } from '@/testing/orders';
import { pageOf } from '@/testing/pages';
import { renderApp, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import HomePage from './pages/home-page';
import ShopPage from './pages/shop-page';
import { readFilter, writeFilter } from './use-shop-filter';

function product(number: number, part: Partial<Product> = {}): Product {
  const tire = { category: 'TIRES', name: `Tire ${number}`, description: 'Round.' } as const;
  return aProduct({ _id: `id-${number}`, ...tire, price: 84.5, ...part });
}

let navigate: ReturnType<typeof useNavigate>;

function Address() {
  navigate = useNavigate();
  const { search } = useLocation();
  return <output aria-label="search">{search}</output>;
}

const search = () => screen.getByRole('status', { name: 'search' }).textContent;

const shop = (
  <>
    <Address />
    <ShopPage />
  </>
);

const noFacets = () =>
  server.use(http.get('*/products/facets', () => HttpResponse.json(someFacets())));

describe('the shop', () => {
  beforeEach(noFacets);

  it('shows a card as the spec has it: cut texts whole for screen readers, and the way to buy', async () => {
    const name = 'Vented Brake Disc 320 mm';
    const description =
      'High-carbon casting, machined, balanced and coated against rust on every surface that does not brake.';
    server.use(
      http.get('*/products', () =>
        HttpResponse.json([product(1, { name, description, minOrder: 100, price: 129 })]),
      ),
    );
    renderApp(shop, { at: '/shop' });
    const card = await screen.findByRole('article');
    expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('All available Deals');
    expect(within(card).getByText('Vented Brake Disc…')).toHaveAttribute('title', name);
    expect(within(card).getByTitle(description).textContent).toBe(
      `${description.slice(0, 90).trimEnd()}…`,
    );
    expect(within(card).getByRole('heading')).toHaveAccessibleName(name);
    expect(card).toHaveTextContent('Part number DL-1000');
    expect(card).toHaveTextContent('Minimum Order100');
    expect(card).toHaveTextContent('Available Quantity4,200');
    expect(card).toHaveTextContent('Price$129');
    expect(within(card).getByRole('link', { name: `Purchase ${name}` })).toHaveAttribute(
      'href',
      '/product/id-1',
    );
    expect(within(card).getByRole('link', { name })).toHaveAttribute('href', '/product/id-1');
  });

  it('shows rows in place of cards where the address says so, and keeps that while filtering', async () => {
    server.use(http.get('*/products', () => HttpResponse.json([product(1)])));
    renderApp(shop, { at: '/shop?view=list' });
    const row = await screen.findByRole('article');
    for (const text of ['DL-1000', 'Round.', '4,200 in stock', '$84.50', 'from 50 units']) {
      expect(row).toHaveTextContent(text);
    }
    expect(within(row).getByRole('link', { name: 'Tire 1' })).toHaveAttribute(
      'href',
      '/product/id-1',
    );
    expect(within(row).getByRole('link', { name: 'Purchase Tire 1' })).toBeInTheDocument();
    const user = userEvent.setup();
    await user.click(screen.getByRole('button', { name: 'Batteries' }));
    expect(search()).toBe('?category=BATTERIES&view=list');
    await user.click(screen.getByRole('button', { name: 'Grid' }));
    expect(search()).toBe('?category=BATTERIES');
    expect(await screen.findByText('Minimum Order')).toBeVisible();
  });

  it('begins with the view that was chosen last, whatever link leads here', async () => {
    server.use(http.get('*/products', () => HttpResponse.json([product(1)])));
    const user = userEvent.setup();
    const { unmount } = renderApp(shop, { at: '/shop' });
    await user.click(await screen.findByRole('button', { name: 'List' }));
    expect(search()).toBe('?view=list');
    unmount();

    const again = renderApp(shop, { at: '/shop?category=TIRES' });
    expect(await screen.findByText(/from 50 units/)).toBeVisible();
    expect(screen.getByRole('button', { name: 'List' })).toHaveAttribute('aria-pressed', 'true');
    await user.click(screen.getByRole('button', { name: 'Grid' }));
    again.unmount();
    renderApp(shop, { at: '/shop' });
    expect(await screen.findByText('Minimum Order')).toBeVisible();
  });

  it('lets the keyboard skip the filters', async () => {
    server.use(http.get('*/products', () => HttpResponse.json([product(1)])));
    renderApp(shop, { at: '/shop' });
    await screen.findByRole('article');
    const skip = screen.getByRole('link', { name: 'Skip to results' });
    expect(document.querySelector(skip.getAttribute('href') ?? '')).toBe(
      screen.getByRole('region', { name: 'Products' }),
    );
  });

  it('asks the server for what the address says', async () => {
    let requested = new URLSearchParams();
    server.use(
      http.get('*/products', ({ request }) => {
        requested = new URL(request.url).searchParams;
        return HttpResponse.json([product(1)]);
      }),
    );
    renderApp(shop, { at: '/shop?q=disc&category=BRAKES&sort=-price&inStock=true' });
    await screen.findByRole('article');
    expect(Object.fromEntries(requested)).toEqual({
      limit: '12',
      q: 'disc',
      category: 'BRAKES',
      sort: '-price',
      inStock: 'true',
    });
    expect(screen.getByRole('button', { name: 'Brake Parts' })).toHaveAttribute(
      'aria-pressed',
      'true',
    );
    expect(screen.getByLabelText('Search')).toHaveValue('disc');
    expect(screen.getByLabelText('Ready to order')).toBeChecked();
  });

  it('writes typing, chips, sort and stock into the address, and Back undoes a chip', async () => {
    server.use(http.get('*/products', () => HttpResponse.json([product(1)])));
    renderApp(shop, { at: '/shop' });
    const user = userEvent.setup();
    await user.type(screen.getByLabelText('Search'), 'turbo');
    await waitFor(() => expect(search()).toBe('?q=turbo'));
    await user.click(screen.getByRole('button', { name: 'Batteries' }));
    expect(search()).toBe('?q=turbo&category=BATTERIES');
    await user.selectOptions(screen.getByLabelText('Sort by'), 'price');
    await user.click(screen.getByLabelText('Ready to order'));
    expect(search()).toBe('?q=turbo&category=BATTERIES&sort=price&inStock=true');
    act(() => navigate(-3));
    await waitFor(() => expect(search()).toBe('?q=turbo'));
    expect(screen.getByRole('button', { name: 'All' })).toHaveAttribute('aria-pressed', 'true');
  });

  it('shows 12, 36 more by itself as they come near, and the rest when asked', async () => {
    const all = Array.from({ length: 60 }, (_, index) => product(index));
    server.use(
      http.get('*/products', ({ request }) => {
        const requested = new URL(request.url).searchParams;
        const end = Number(requested.get('cursor') ?? 0) + Number(requested.get('limit'));
        const link = `</products?cursor=${end}>; rel="next"`;
        return HttpResponse.json(all.slice(Number(requested.get('cursor') ?? 0), end), {
          headers: { 'X-Total-Count': '60', ...(end < 60 ? { Link: link } : {}) },
        });
      }),
    );
    renderApp(shop, { at: '/shop' });
    expect(await screen.findByText('Showing 48 of 60 parts')).toBeInTheDocument();
    const before: (string | null)[] = [];
    const changes = new MutationObserver((records) => {
      before.push(...records.map(({ oldValue }) => oldValue));
    });
    changes.observe(document.body, {
      subtree: true,
      attributeFilter: ['class'],
      attributeOldValue: true,
    });
    await userEvent.setup().click(screen.getByRole('button', { name: 'Show more' }));
    expect(await screen.findByText('60 parts')).toBeInTheDocument();
    // What is there already stays as it is, and is not dimmed as other parts' place is.
    expect(before.filter((classes) => classes?.includes('opacity-60'))).toEqual([]);
    changes.disconnect();
    expect(screen.getAllByRole('article')).toHaveLength(60);
    expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  });

  it('shows as many parts as before to whoever comes back, though they have to be loaded again', async () => {
    const all = Array.from({ length: 50 }, (_, index) => product(index));
    server.use(http.get('*/products', ({ request }) => pageOf(all, request)));
    const { store } = renderScreens({ '/': <Address />, '/shop': shop });
    act(() => void navigate('/shop?view=list'));
    await screen.findByText('Showing 48 of 50 parts');
    await userEvent.setup().click(screen.getByRole('button', { name: 'Show more' }));
    await screen.findByText('50 parts');
    act(() => void navigate('/product/id-1'));
    expect(screen.queryByRole('article')).toBeNull();
    // As an order does, which changes what is in stock.
    act(() => void store.dispatch(api.util.invalidateTags(['Product'])));
    act(() => void navigate(-1));
    expect(await screen.findByText('50 parts')).toBeInTheDocument();
  });

  it('says that nothing matches and clears the filters', async () => {
    server.use(
      http.get('*/products', ({ request }) =>
        HttpResponse.json(new URL(request.url).searchParams.has('q') ? [] : [product(1)]),
      ),
    );
    renderApp(shop, { at: '/shop?q=zzz' });
    expect(await screen.findByText('No parts match "zzz"')).toBeInTheDocument();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Clear filters' }));
    expect(await screen.findByRole('article')).toBeInTheDocument();
    expect(screen.getByLabelText('Search')).toHaveValue('');
    expect(search()).toBe('');
  });

  it('says what failed and tries again', async () => {
    let fail = true;
    server.use(
      http.get('*/products', () =>
        fail ? new HttpResponse(null, { status: 500 }) : HttpResponse.json([product(1)]),
      ),
    );
    renderApp(shop, { at: '/shop' });
    expect(await screen.findByRole('alert')).toHaveTextContent("We couldn't load the parts");
    fail = false;
    await userEvent.setup().click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('article')).toBeInTheDocument();
  });
});

describe('the filter in the address', () => {
  it('survives the way there and back', () => {
    const filter = {
      q: 'a&b',
      category: 'OILS AND FLUIDS',
      sort: 'name',
      inStock: true,
      more: [
        ['brand', '7'],
        ['brand', '9'],
        ['attr.Rim & size', '15..17'],
        ['vehicle', '8123'],
      ],
    } as const;
    expect(readFilter(writeFilter(filter))).toEqual(filter);
  });

  it('takes what it does not know for nothing', () => {
    expect(
      readFilter(
        new URLSearchParams('category=BOATS&sort=random&inStock=yes&brand=&color=red&attr.=1'),
      ),
    ).toEqual({
      q: '',
      category: '',
      sort: 'newest',
      inStock: false,
      more: [],
    });
  });
});

describe('Home', () => {
  const review = (number: number): Review => ({
    _id: `r${number}`,
    name: `Buyer ${number}`,
    details: `Text ${number}`,
    rating: number,
    createdAt: '2026-01-01T00:00:00Z',
    verified: false,
  });

  it('shows four deals, six categories and the last three reviews', async () => {
    server.use(
      http.get('*/products', () => HttpResponse.json([1, 2, 3, 4, 5].map((n) => product(n)))),
      http.get('*/reviews', ({ request }) => {
        const limit = Number(new URL(request.url).searchParams.get('limit'));
        return HttpResponse.json([1, 2, 3, 4].map(review).slice(-limit));
      }),
    );
    renderApp(<HomePage />);
    expect(screen.getByText('Loading…')).toBeInTheDocument();
    expect(await screen.findAllByRole('link', { name: /^Purchase/ })).toHaveLength(4);
    await waitFor(() => expect(screen.queryByText('Loading…')).toBeNull());
    expect(screen.getByText('Buyer 2')).toBeInTheDocument();
    expect(screen.queryByText('Buyer 1')).toBeNull();
    expect(screen.getByRole('img', { name: 'Rated 4 out of 5' })).toBeInTheDocument();

    const headings = screen.getAllByRole('heading', {
      name: 'Aftermarket Turbocharger Specialist',
    });
    expect(headings).toHaveLength(3);
    for (const link of screen.getAllByRole('link', { name: 'Discover more' })) {
      expect(link).toHaveAttribute('href', '/shop');
    }
    const tiles = within(screen.getByRole('region', { name: 'Top Categories' }));
    expect(tiles.getByRole('link', { name: 'Brake Parts' })).toHaveAttribute(
      'href',
      '/shop?category=BRAKES',
    );
    expect(tiles.getAllByRole('listitem')).toHaveLength(6);
    expect(screen.getByText('25.6K')).toBeInTheDocument();
    expect(screen.getByText('31 shipping remaining')).toBeInTheDocument();
  });

  it('shows all reviews when there are no more than three, and what to do when there is none', async () => {
    server.use(
      http.get('*/products', () => HttpResponse.json([])),
      http.get('*/reviews', () => HttpResponse.json([]), { once: true }),
    );
    renderApp(<HomePage />);
    expect(await screen.findByText('No reviews yet')).toBeInTheDocument();
    expect(screen.getByText('New stock coming soon')).toBeInTheDocument();
  });

  it('keeps the rest of the page when one part fails', async () => {
    server.use(
      http.get('*/products', () => new HttpResponse(null, { status: 500 })),
      http.get('*/reviews', () => HttpResponse.json([review(5)])),
    );
    renderApp(<HomePage />);
    expect(await screen.findByRole('alert')).toHaveTextContent("We couldn't load today's deals");
    expect(await screen.findByText('Buyer 5')).toBeInTheDocument();
  });
});
