import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Part, PartNumber } from '@/api/parts';
import { aProduct, problem } from '@/testing/orders';
import { pricesOf } from '@/testing/prices';
import { customer, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import { factsOf } from './facts';
import ProductPage from './pages/product-page';

beforeEach(() => server.use(pricesOf()));

const part: Part = {
  ...aProduct({ _id: 'p1' }),
  brand: 'Brembo',
  partType: 'Brake disc',
  packSize: 10,
  weight: 7400,
  length: 320,
  width: 320,
  height: 54,
  universal: true,
  attributes: [
    { name: 'Diameter', value: 320, unit: 'mm' },
    { name: 'Surface', value: 'Coated' },
    { name: 'ABS ring', value: false },
  ],
};

const numbers: PartNumber[] = [
  { kind: 'superseded', number: '3047-A', since: '2024-05-01T00:00:00Z' },
  { kind: 'oe', number: '43512-06120', brand: 'Toyota' },
  { kind: 'own', number: 'DL-1000', since: '2026-01-01T00:00:00Z' },
  { kind: 'oe', number: '43512-33130', brand: 'Lexus', note: 'rear' },
];

function open(answers: { product?: () => Response; numbers?: () => Response } = {}) {
  server.use(
    http.get('*/products/p1', answers.product ?? (() => HttpResponse.json(part))),
    http.get('*/products/p1/reviews', () =>
      HttpResponse.json({ average: null, count: 0, reviews: [] }),
    ),
    http.get('*/products/p1/numbers', answers.numbers ?? (() => HttpResponse.json(numbers))),
    http.get('*/products/p1/vehicles', () => HttpResponse.json([])),
    http.get('*/garage', () => HttpResponse.json([])),
  );
  renderScreens({ '/product/:productId': <ProductPage /> }, { at: '/product/p1', user: customer });
}

describe("a part's page", () => {
  beforeEach(() => {
    vi.restoreAllMocks();
  });

  it('says what the part is, with the units of its attributes', async () => {
    open();
    await screen.findByRole('heading', { level: 1, name: part.name });
    for (const [term, value] of [
      ['Brand', 'Brembo'],
      ['Part type', 'Brake disc'],
      ['Sold in packs of', '10'],
      ['Weight', '7.4 kg'],
      ['Length × width × height', '320 × 320 × 54 mm'],
      ['Fits', 'All vehicles'],
      ['Diameter', '320 mm'],
      ['Surface', 'Coated'],
      ['ABS ring', 'No'],
    ] as const) {
      expect(screen.getByText(term).nextElementSibling).toHaveTextContent(value);
    }
  });

  it('leaves out what is not known', () => {
    expect(factsOf(aProduct()).map(({ label }) => label)).toEqual([
      'Category',
      'Minimum order quantity',
      'Available quantity',
    ]);
    expect(factsOf({ ...aProduct(), packSize: 1, weight: 850 }).at(-1)).toEqual({
      label: 'Weight',
      value: '850 g',
    });
  });

  it('has its numbers by their kinds, each to be copied', async () => {
    open();
    const user = userEvent.setup();
    const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const section = within(await screen.findByRole('region', { name: 'Part numbers' }));
    await section.findByText('3047-A');
    expect(section.getAllByRole('term').map((term) => term.textContent)).toEqual([
      'Our number',
      'Original (OE) numbers',
      'Replaces',
    ]);
    expect(section.getByText('Lexus, rear')).toBeVisible();
    expect(section.getByText('since May 2024')).toBeVisible();
    await user.click(section.getByRole('button', { name: 'Copy 43512-06120' }));
    expect(write).toHaveBeenCalledWith('43512-06120');
    expect(await section.findByText('Copied')).toBeVisible();
  });

  it('says how to copy where the browser does not let it', async () => {
    open();
    const user = userEvent.setup();
    vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new Error('no'));
    await user.click(await screen.findByRole('button', { name: 'Copy DL-1000' }));
    expect(await screen.findByText('Select it and copy it by hand')).toBeVisible();
  });

  it('has no section for numbers where there are none, and asks again where they did not come', async () => {
    let broken = true;
    open({
      numbers: () => (broken ? new HttpResponse(null, { status: 500 }) : HttpResponse.json([])),
    });
    const section = await screen.findByRole('region', { name: 'Part numbers' });
    expect(await within(section).findByRole('alert')).toHaveTextContent(
      "We couldn't load the part numbers.",
    );
    broken = false;
    await userEvent.click(within(section).getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Part numbers' })).toBeNull());
  });

  it('leads on to the part that replaced it', async () => {
    const replaced = problem('replaced', 410, 'Replaced.', { replacedBy: 'p2' });
    const next = aProduct({ _id: 'p2', name: 'Brake Disc, new' });
    server.use(http.get('*/products/p2', () => HttpResponse.json(next)));
    open({ product: () => HttpResponse.json(replaced, { status: 410 }) });
    expect(await screen.findByText('This part has been replaced')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to the new part' })).toHaveAttribute(
      'href',
      '/product/p2',
    );
    expect(await screen.findByRole('link', { name: 'Brake Disc, new' })).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Purchase' })).toBeNull();
  });

  it('is gone where it was replaced by nothing', async () => {
    const gone = problem('gone', 410, 'Gone.');
    open({ product: () => HttpResponse.json(gone, { status: 410 }) });
    expect(await screen.findByText('This product is no longer available')).toBeVisible();
  });
});
