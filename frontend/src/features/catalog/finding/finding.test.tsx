import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Facets, Part } from '@/api/parts';
import { someFacets } from '@/testing/facets';
import { aProduct } from '@/testing/orders';
import { address, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import { plainShop } from '../api';
import ShopPage from '../pages/shop-page';
import {
  chosenOf,
  dropsOf,
  readRange,
  toggled,
  vehicleIn,
  withPrice,
  withVehicle,
  writeRange,
} from './choices';

const counted = (count: number) => (value: string) => ({ value, name: value, count });

const facets: Facets['facets'] = {
  ...someFacets().facets,
  category: [{ value: 'BRAKES', name: 'Brake Parts', count: 14 }],
  brand: [
    { value: '7', name: 'Brembo', count: 12 },
    { value: '9', name: 'Bosch', count: 1200 },
  ],
  partType: [{ value: '3', name: 'Brake disc', count: 14 }],
  price: [
    { from: 0, to: 50, count: 3 },
    { from: 50, to: 100, count: 0 },
    { from: 100, to: null, count: 11 },
  ],
  attributes: [
    {
      name: 'Diameter',
      unit: 'mm',
      values: ['280', '240', '300', '312', '320', '345.5', '380'].map(counted(2)),
    },
    { name: 'Thickness', unit: 'mm', values: ['22', '28'].map(counted(7)) },
    { name: 'Surface', values: [counted(9)('Coated'), counted(5)('Plain')] },
    { name: 'ABS ring', values: [counted(12)('no'), counted(2)('yes')] },
  ],
};

const disc: Part = { ...aProduct(), via: 'same as BREMBO 09.A820.11' };
const camry = { vehicle: 8123, engine: 77, label: '2014 Toyota Camry, 2.5 L' };
let asked: string[] = [];

/** A shop that finds `found`, and says `totalOf` what a filter would leave. */
function shop(found: Part[], totalOf: (query: URLSearchParams) => number = () => found.length) {
  server.use(
    http.get('*/products', ({ request }) => {
      asked.push(new URL(request.url).search);
      return HttpResponse.json(found);
    }),
    http.get('*/products/facets', ({ request }) =>
      HttpResponse.json({
        ...someFacets(),
        total: totalOf(new URL(request.url).searchParams),
        facets,
      }),
    ),
  );
}

async function open(at = '/shop') {
  renderScreens({ '/shop': <ShopPage /> }, { at });
  const aside = await screen.findByRole('complementary', { name: 'Filters' });
  return { user: userEvent.setup(), filters: within(aside) };
}

beforeEach(() => {
  asked = [];
});

describe("the shop's filters", () => {
  it('say how many parts each choice has, and lead to them by the address', async () => {
    shop([disc]);
    const { user, filters } = await open();
    const bosch = await filters.findByRole('checkbox', { name: 'Bosch, 1,200 parts' });
    expect(filters.queryByRole('group', { name: 'Part type' })).toBeNull();
    await user.click(bosch);
    await user.click(filters.getByRole('checkbox', { name: 'Brembo, 12 parts' }));
    expect(address()).toBe('/shop?brand=9&brand=7');
    await waitFor(() => expect(asked.at(-1)).toBe('?limit=12&brand=9&brand=7'));
    await user.click(bosch);
    expect(address()).toBe('/shop?brand=7');
  });

  it('offer a single value that only some parts have', async () => {
    shop([disc], () => 20);
    const { filters } = await open();
    expect(await filters.findByRole('group', { name: 'Part type' })).toBeVisible();
  });

  it('show the values of attributes with their units, and take a range', async () => {
    shop([disc]);
    const { user, filters } = await open('/shop?view=list');
    await user.click(await filters.findByRole('checkbox', { name: 'Coated, 9 parts' }));
    await user.click(filters.getByRole('checkbox', { name: 'Yes, 2 parts' }));
    await user.click(filters.getByRole('checkbox', { name: '28 mm, 7 parts' }));
    const from = filters.getByRole('spinbutton', { name: 'Diameter (mm), from' });
    expect(from).toHaveAttribute('placeholder', '240');
    await user.type(from, '320');
    await user.type(filters.getByRole('spinbutton', { name: 'Diameter (mm), to' }), '280{Enter}');
    expect(new URLSearchParams(address()?.split('?')[1]).toString()).toBe(
      'attr.Surface=Coated&attr.ABS+ring=yes&attr.Thickness=28&attr.Diameter=280..320&view=list',
    );
    await user.click(screen.getByRole('button', { name: 'Remove filter Diameter: 280–320 mm' }));
    expect(from).toHaveValue(null);
    expect(screen.getByRole('button', { name: 'Remove filter ABS ring: Yes' })).toBeVisible();
  });

  it('narrow by price, by what is offered or by any amount', async () => {
    shop([disc]);
    const { user, filters } = await open();
    await user.click(await filters.findByRole('button', { name: '$100.00 and up, 11 parts' }));
    expect(address()).toBe('/shop?minPrice=100');
    expect(filters.queryByRole('button', { name: /^\$50/ })).toBeNull();
    await user.type(filters.getByRole('spinbutton', { name: 'Price ($), to' }), '250');
    await user.click(filters.getByRole('button', { name: 'Apply Price' }));
    expect(address()).toBe('/shop?minPrice=100&maxPrice=250');
    await user.click(screen.getByRole('button', { name: 'Remove filter $100.00–$250.00' }));
    expect(address()).toBe('/shop');
  });

  it('are cleared all at once, but for the order and the vehicle', async () => {
    shop([disc]);
    server.use(http.get('*/vehicles', () => HttpResponse.json([camry])));
    const { user } = await open('/shop?q=disc&sort=price&brand=7&vehicle=8123&engine=77');
    await user.click(await screen.findByRole('button', { name: 'Clear all' }));
    expect(address()).toBe('/shop?sort=price&vehicle=8123&engine=77');
    expect(screen.queryByRole('list', { name: 'Active filters' })).toBeNull();
  });

  it('open in a drawer on a phone, whose button says what is left', async () => {
    shop([disc], () => 14);
    const { user } = await open('/shop?brand=7');
    await user.click(await screen.findByRole('button', { name: 'Filters (1)' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Filters' }));
    await user.click(drawer.getByRole('checkbox', { name: 'Bosch, 1,200 parts' }));
    expect(address()).toBe('/shop?brand=7&brand=9');
    await user.click(drawer.getByRole('button', { name: 'Show 14 parts' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('are asked for again where they did not come, while the parts are there', async () => {
    shop([disc]);
    let broken = true;
    server.use(
      http.get('*/products/facets', () =>
        broken
          ? new HttpResponse(null, { status: 500 })
          : HttpResponse.json({ ...someFacets(1), facets }),
      ),
    );
    const { user, filters } = await open();
    expect(await filters.findByRole('alert')).toHaveTextContent("We couldn't load the filters.");
    expect(await screen.findByRole('article')).toBeVisible();
    broken = false;
    await user.click(filters.getByRole('button', { name: 'Try again' }));
    expect(await filters.findByRole('checkbox', { name: /Bosch/ })).toBeVisible();
  });

  it('tell on a card and in a row why a search found the part', async () => {
    shop([disc]);
    await open('/shop?q=09.A820.11');
    expect(await screen.findByText('same as BREMBO 09.A820.11')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'List' }));
    expect(screen.getByText('same as BREMBO 09.A820.11')).toBeVisible();
  });
});

describe('where nothing was found', () => {
  it('each way out says how many parts it leads to, and those to none are left out', async () => {
    shop([], (query) => {
      if (!query.has('brand')) return 14;
      return query.get('q') === 'disc' ? 2 : 0;
    });
    const { user } = await open('/shop?q=disc+bogus&brand=7&minPrice=10');
    const drop = await screen.findByRole('list', { name: 'Drop a filter' });
    expect(await within(drop).findByRole('button', { name: 'Without Brand: Brembo 14 parts' }));
    expect(await within(drop).findByRole('button', { name: 'Without “bogus” 2 parts' }));
    expect(within(drop).getAllByRole('button')).toHaveLength(2);
    await user.click(within(drop).getByRole('button', { name: /bogus/ }));
    expect(address()).toBe('/shop?q=disc&brand=7&minPrice=10');
  });

  it('parts are offered whose numbers come close', async () => {
    shop([]);
    server.use(
      http.get('*/numbers/:any', ({ params }) => {
        expect(params.any).toBe('DL-100O');
        return HttpResponse.json({
          tier: 6,
          products: [{ ...disc, via: 'perhaps you meant DL-1000' }],
        });
      }),
    );
    await open('/shop?q=DL-100O');
    const maybe = await screen.findByRole('region', { name: 'Did you mean one of these?' });
    expect(maybe).toHaveTextContent('perhaps you meant DL-1000');
    expect(within(maybe).getByRole('link', { name: disc.name })).toBeVisible();
  });
});

describe('the vehicle of the address', () => {
  it('narrows the parts, stays while other filters change, and goes by itself', async () => {
    shop([disc]);
    server.use(http.get('*/vehicles', () => HttpResponse.json([camry])));
    const { user, filters } = await open('/shop?vehicle=8123&engine=77');
    await waitFor(() => expect(asked.at(-1)).toBe('?limit=12&vehicle=8123&engine=77'));
    expect(screen.queryByRole('list', { name: 'Active filters' })).toBeNull();
    await user.click(await filters.findByRole('checkbox', { name: 'Bosch, 1,200 parts' }));
    expect(address()).toBe('/shop?vehicle=8123&engine=77&brand=9');
    await user.click(screen.getByRole('button', { name: 'Clear vehicle' }));
    expect(address()).toBe('/shop?brand=9');
  });

  it('is none where the address names none that can be', () => {
    expect(vehicleIn([['vehicle', 'x']])).toBeNull();
    expect(
      vehicleIn([
        ['vehicle', '8'],
        ['engine', 'x'],
      ]),
    ).toEqual({ vehicle: 8 });
    expect(
      withVehicle(
        [
          ['fit', 'all'],
          ['brand', '7'],
        ],
        { vehicle: 8 },
      ),
    ).toEqual([
      ['brand', '7'],
      ['vehicle', '8'],
    ]);
  });
});

describe('choices', () => {
  it('read and write ranges with open ends', () => {
    expect(readRange('280..320')).toEqual({ from: '280', to: '320' });
    expect(readRange('..320')).toEqual({ from: '', to: '320' });
    expect(readRange('Plain')).toBeNull();
    expect(writeRange({ from: '1.5', to: '' })).toBe('1.5..');
    expect(writeRange({ from: '', to: '' })).toBe('');
  });

  it('are put in and taken out, and others stay', () => {
    const more = toggled([['brand', '7']], 'partType', '3');
    expect(more).toEqual([
      ['brand', '7'],
      ['partType', '3'],
    ]);
    expect(toggled(more, 'brand', '7')).toEqual([['partType', '3']]);
    // A range goes when one of its numbers is chosen.
    expect(toggled([['attr.d', '1..9']], 'attr.d', '3')).toEqual([['attr.d', '3']]);
    expect(toggled([['attr.d', '1..9']], 'attr.d', '1..9')).toEqual([]);
    expect(withPrice(more, { from: '', to: '9' }).at(-1)).toEqual(['maxPrice', '9']);
  });

  it('are called by their values where the shop has not named them yet', () => {
    const filter = {
      ...plainShop,
      more: [
        ['brand', '7'],
        ['attr.Diameter', '280..'],
        ['maxPrice', '90'],
      ] as const,
    };
    expect(chosenOf(filter, undefined).map(({ label }) => label)).toEqual([
      'Brand: 7',
      'Diameter: from 280',
      'Up to $90.00',
    ]);
  });

  it('that could be dropped are the vehicle, the stock and the category too, and the words of a search', () => {
    const labels = (part: object) =>
      dropsOf({ ...plainShop, ...part }, undefined).map(({ label }) => label);
    expect(labels({ q: 'disc' })).toEqual([]);
    expect(labels({ q: 'disc', inStock: true })).toEqual(['Ready to order', '“disc”']);
    expect(labels({ q: 'a b', category: 'BRAKES', more: [['vehicle', '1']] })).toEqual([
      'Category: Brake Parts',
      'Your vehicle',
      '“a”',
      '“b”',
    ]);
    expect(labels({ q: 'a b c d e f g h' })).toHaveLength(6);
  });
});
