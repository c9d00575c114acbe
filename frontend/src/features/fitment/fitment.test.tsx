import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeToken } from '@/api/access-token';
import type { FitAnswer, FittingVehicles } from '@/api/types';
import ProductPage from '@/features/catalog/pages/product-page';
import ShopPage from '@/features/catalog/pages/shop-page';
import { someFacets } from '@/testing/facets';
import { disc, problem } from '@/testing/orders';
import { pricesOf } from '@/testing/prices';
import { address, customer, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';

beforeEach(() => server.use(pricesOf()));

const camry = { id: 8123, label: '2014 Toyota Camry' };

const fits: FitAnswer = {
  verdict: 'yes',
  because: [
    {
      position: 'front',
      perVehicle: 2,
      conditions: [],
      source: 'Entered by the store',
      date: '2026-11-25',
    },
  ],
  nearest: [],
  conditions: [],
  engines: [],
  vehicle: camry,
};

const range: FittingVehicles = {
  label: 'Toyota Camry 2007–2011 · front · 2 per vehicle',
  make: 'Toyota',
  model: 'Camry',
  yearFrom: 2007,
  yearTo: 2011,
  position: 'front',
  perVehicle: 2,
  conditions: [],
};

let asked: string[] = [];
let ordered: Record<string, unknown>[] = [];

function shopSays(says: FitAnswer | ((engine: string | null) => FitAnswer), vehicles = [range]) {
  const { _id } = disc;
  server.use(
    pricesOf(),
    http.get(`*/products/${_id}`, () => HttpResponse.json(disc)),
    http.get(`*/products/${_id}/reviews`, () =>
      HttpResponse.json({ average: null, count: 0, reviews: [] }),
    ),
    http.get(`*/products/${_id}/numbers`, () => HttpResponse.json([])),
    http.get(`*/products/${_id}/vehicles`, () => HttpResponse.json(vehicles)),
    http.get(`*/products/${_id}/fit`, ({ request }) => {
      const { search, searchParams } = new URL(request.url);
      asked.push(search);
      return HttpResponse.json(
        typeof says === 'function' ? says(searchParams.get('engine')) : says,
      );
    }),
    http.get('*/garage', () => HttpResponse.json([])),
    http.get('*/vehicles', () =>
      HttpResponse.json([{ vehicle: 8123, label: '2014 Toyota Camry' }]),
    ),
    http.get('*/orders', () => HttpResponse.json([])),
    http.get('*/info', () => HttpResponse.json(null)),
    http.post('*/orders', async ({ request }) => {
      ordered.push((await request.json()) as Record<string, unknown>);
      return HttpResponse.json({ insertedId: 'one' }, { status: 201 });
    }),
  );
}

function open(query = '?vehicle=8123') {
  renderScreens(
    { '/product/:productId': <ProductPage /> },
    { at: `/product/${disc._id}${query}`, user: customer },
  );
  return userEvent.setup();
}

const banner = () => screen.findByRole('region', { name: 'Does it fit?' });

async function order(user: ReturnType<typeof userEvent.setup>) {
  const dialog = within(await screen.findByRole('dialog', { name: 'Billing Details' }));
  await user.type(dialog.getByLabelText('Phone'), '555 0100');
  await user.type(dialog.getByLabelText('Address'), '1 Workshop Lane');
  await user.click(dialog.getByRole('button', { name: /^Order/ }));
  await waitFor(() => expect(ordered).toHaveLength(1));
}

beforeEach(() => {
  asked = [];
  ordered = [];
  storeToken('token');
});

describe("a part's page with a vehicle", () => {
  it('says that it fits, where, how many, and who says so', async () => {
    shopSays(fits);
    open();
    const says = within(await banner());
    expect(await says.findByText('Fits your 2014 Toyota Camry')).toBeVisible();
    expect(says.getByText(/front · 2 per vehicle/)).toBeVisible();
    expect(says.getByText(/Entered by the store, 2026-11-25/)).toBeVisible();
    const bar = within(screen.getByRole('region', { name: 'Vehicle' }));
    expect(await bar.findByText('2014 Toyota Camry')).toBeVisible();
    expect(asked).toEqual(['?vehicle=8123']);
  });

  it('asks for the engine, and keeps it in the address', async () => {
    const engine = { id: 77, name: '2.5 L' };
    shopSays((chosen) =>
      chosen
        ? { ...fits, engine }
        : { ...fits, verdict: 'ask', engines: [engine, { id: 78, name: '3.5 L V6' }] },
    );
    const user = open();
    await user.click(within(await banner()).getByRole('button', { name: '2.5 L' }));
    expect(await screen.findByText('Fits your 2014 Toyota Camry 2.5 L')).toBeVisible();
    expect(address()).toContain('?vehicle=8123&engine=77');
  });

  it('sends the vehicle and the ticked condition with the order', async () => {
    shopSays({ ...fits, verdict: 'if', conditions: [{ id: 4, text: 'carbon version' }] });
    const user = open();
    const says = within(await banner());
    expect(says.getByText('Fits if: carbon version')).toBeVisible();
    await user.click(says.getByRole('checkbox', { name: 'carbon version' }));
    await user.click(screen.getByRole('button', { name: 'Purchase' }));
    await order(user);
    expect(ordered[0]?.vehicle).toEqual({ id: 8123, confirmed: [4] });
  });

  it('says that it does not fit, keeps the button, and asks once', async () => {
    shopSays({
      ...fits,
      verdict: 'no',
      because: [],
      nearest: [range],
    });
    const user = open();
    const says = within(await banner());
    expect(says.getByText('Does not fit your 2014 Toyota Camry')).toBeVisible();
    expect(says.getByText(/It fits: Toyota Camry 2007–2011/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Purchase' }));
    const question = within(screen.getByRole('alertdialog'));
    await user.click(question.getByRole('button', { name: 'Go back' }));
    expect(screen.queryByRole('dialog', { name: 'Billing Details' })).toBeNull();
    await user.click(screen.getByRole('button', { name: 'Purchase' }));
    await user.click(screen.getByRole('button', { name: 'Order anyway' }));
    const billing = await screen.findByRole('dialog', { name: 'Billing Details' });
    await user.click(within(billing).getByRole('button', { name: 'Cancel' }));
    await user.click(screen.getByRole('button', { name: 'Purchase' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    await order(user);
    expect(ordered[0]?.vehicle).toEqual({ id: 8123 });
  });

  it.each([
    ['universal', 'Fits all vehicles'],
    ['unknown', 'No vehicle list from the maker. Check the number.'],
  ] as const)('has a sentence for %s', async (verdict, sentence) => {
    shopSays({ ...fits, verdict, because: [] });
    open();
    expect(await screen.findByText(sentence)).toBeVisible();
  });

  it('says when it could not be checked, and checks again', async () => {
    shopSays(fits);
    let broken = true;
    server.use(
      http.get(`*/products/${disc._id}/fit`, () =>
        broken
          ? HttpResponse.json(problem('internal', 500, 'No.'), { status: 500 })
          : HttpResponse.json(fits),
      ),
    );
    const user = open();
    await user.click(within(await banner()).getByRole('button', { name: 'Try again' }));
    broken = false;
    await user.click(await screen.findByRole('button', { name: 'Try again' }));
    expect(await screen.findByText('Fits your 2014 Toyota Camry')).toBeVisible();
  });

  it('says nothing and sends nothing without a vehicle', async () => {
    shopSays(fits);
    const user = open('');
    await user.click(await screen.findByRole('button', { name: 'Purchase' }));
    expect(screen.queryByRole('region', { name: 'Does it fit?' })).toBeNull();
    await order(user);
    expect(asked).toEqual([]);
    expect(ordered[0]).not.toHaveProperty('vehicle');
  });

  it('lists the vehicles, to be found by make and year', async () => {
    const many = Array.from({ length: 12 }, (_each, place) => ({
      ...range,
      model: `Model ${place}`,
      label: `Toyota Model ${place}`,
      yearFrom: 1990 + place,
      yearTo: 1990 + place,
    }));
    shopSays(fits, many);
    const user = open();
    const section = within(await screen.findByRole('region', { name: 'Vehicles' }));
    await user.type(await screen.findByRole('searchbox', { name: 'Filter vehicles' }), '1995 toy');
    expect(section.getAllByRole('rowheader').map((each) => each.textContent)).toEqual([
      'Toyota Model 5',
    ]);
  });
});

describe('the shop for a vehicle', () => {
  it('parts what fits from what does under a condition, and begins with the part types', async () => {
    const parts = [
      { ...disc, _id: 'a', name: 'Disc', fit: { verdict: 'yes', conditions: [] } },
      { ...disc, _id: 'b', name: 'Pad', fit: { verdict: 'if', conditions: [] } },
    ];
    const type = (value: string, name: string, count: number) => ({ value, name, count });
    server.use(
      http.get('*/vehicles', () => HttpResponse.json([])),
      http.get('*/products', () => HttpResponse.json(parts, { headers: { 'X-Total-Count': '8' } })),
      http.get('*/products/facets', ({ request }) =>
        HttpResponse.json(
          new URL(request.url).searchParams.get('fit') === 'yes'
            ? someFacets(1)
            : someFacets(8, { partType: [type('1', 'Brake disc', 5), type('2', 'Brake pad', 3)] }),
        ),
      ),
    );
    renderScreens({ '/shop': <ShopPage /> }, { at: '/shop?vehicle=8123' });
    const user = userEvent.setup();
    expect(
      await screen.findByRole('heading', { name: 'Fits under a condition (7)' }),
    ).toBeVisible();
    expect(screen.getByText('Fits')).toBeVisible();
    expect(screen.getByText('Fits if …')).toBeVisible();
    const link = screen.getByRole('link', { name: 'Purchase Disc' });
    expect(link).toHaveAttribute('href', '/product/a?vehicle=8123');
    await user.click(screen.getByRole('button', { name: 'Brake disc, 5 parts' }));
    expect(address()).toBe('/shop?vehicle=8123&partType=1');
    await waitFor(() => expect(screen.queryByText('What are you looking for?')).toBeNull());
  });
});
