import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it } from 'vitest';
import { countries } from '@/features/addresses/fixture';
import { problem } from '@/testing/orders';
import { customer as admin, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import { costsOf } from './components/method-list';
import { blankMethod, methodOf, methodValues } from './method';
import FreightPage from './pages/freight-page';
import type { ShippingMethod, UnweighedProduct } from './wire';

const ground: ShippingMethod = {
  _id: '1',
  name: 'Ground',
  countries: ['US', 'CA'],
  divisor: 5000,
  freeOver: 140,
  bands: [
    { upToGrams: 2500, price: 9.5 },
    { upToGrams: 30_000, price: 15 },
  ],
  perExtraKg: 0.75,
  palletFromGrams: 150_000,
  perPallet: null,
};

function shop(methods: ShippingMethod[], unweighed: UnweighedProduct[] = []) {
  const calls: { what: string; body?: unknown }[] = [];
  let kept = methods;
  server.use(
    http.get('http://shop.test/countries', () => HttpResponse.json(countries)),
    http.get('http://shop.test/shipping-methods', () => HttpResponse.json(kept)),
    http.get('http://shop.test/shipping-methods/unweighed', () => HttpResponse.json(unweighed)),
    http.post('http://shop.test/shipping-methods', async ({ request }) => {
      const body = (await request.json()) as ShippingMethod;
      calls.push({ what: 'POST', body });
      kept = [...kept, { ...body, _id: '2' }];
      return HttpResponse.json({ insertedId: '2' }, { status: 201 });
    }),
    http.put('http://shop.test/shipping-methods/:id', async ({ request, params }) => {
      calls.push({ what: `PUT ${params.id}`, body: await request.json() });
      return HttpResponse.json({ modifiedCount: 1 });
    }),
    http.delete('http://shop.test/shipping-methods/:id', ({ params }) => {
      calls.push({ what: `DELETE ${params.id}` });
      kept = [];
      return HttpResponse.json({ deletedCount: 1 });
    }),
  );
  return calls;
}

function show(at = '/dashboard/freight') {
  renderScreens({ '/dashboard/freight': <FreightPage /> }, { user: admin, at });
}

describe('a shipping method', () => {
  it('is typed in kilograms and sent in grams, and comes back as it was', () => {
    const { _id, ...sent } = ground;
    expect(methodOf(methodValues(ground))).toEqual(sent);
    expect(methodValues(ground).bands[0]).toEqual({ upTo: '2.5', price: '9.50' });
    expect(methodOf({ ...blankMethod, name: ' x ', countries: ' us;de  US' })).toMatchObject({
      name: 'x',
      countries: ['US', 'DE'],
      freeOver: null,
      perPallet: null,
      palletFromGrams: null,
    });
    expect(methodOf({ ...blankMethod, freeOver: '0' }).freeOver).toBe(0);
  });

  it('says what it costs in words', () => {
    expect(costsOf(ground)).toEqual([
      'Free from $140.00 of parts',
      'Up to 2.5 kg: $9.50',
      'Up to 30 kg: $15.00',
      'Each kg above: $0.75',
      'From 150 kg: we quote',
    ]);
    expect(costsOf({ ...ground, perPallet: 95 }).at(-1)).toBe('From 150 kg by pallet: $95.00 each');
  });
});

describe('freight', () => {
  it('shows where each method delivers and what it costs', async () => {
    shop([ground, { ...ground, _id: '2', name: 'World', countries: null }]);
    show();
    const table = within(await screen.findByRole('table', { name: 'Shipping methods' }));
    await waitFor(() => expect(table.getByText('United States, Canada')).toBeVisible());
    expect(table.getByText('All countries')).toBeVisible();
  });

  it('adds one, whose mistakes are said at their fields', async () => {
    const calls = shop([]);
    show();
    expect(await screen.findByRole('heading', { name: 'No shipping methods yet' })).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Add a shipping method' }));
    const dialog = within(await screen.findByRole('dialog'));
    const set = async (label: string, text: string) => {
      await userEvent.clear(dialog.getByLabelText(label));
      if (text) await userEvent.type(dialog.getByLabelText(label), text);
    };
    const save = () =>
      userEvent.click(dialog.getByRole('button', { name: 'Save shipping method' }));
    await set('Name', 'Ground');
    await set('Countries', 'US, XX, ZZ');
    await set('Up to (kg), row 1', '10');
    await set('Price, row 1', '12');
    await userEvent.click(dialog.getByRole('button', { name: 'Add a row' }));
    await set('Up to (kg), row 2', '5');
    await set('Price, row 2', '0');
    await set('Price per pallet', '95');
    await save();
    expect(await dialog.findByText('These are not country codes: XX, ZZ')).toBeVisible();
    expect(dialog.getByText('Say from how many kg it goes by pallet')).toBeVisible();
    await set('Countries', '');
    await set('By pallet from (kg)', '200');
    await save();
    expect(await dialog.findByText('Enter more than 10')).toBeVisible();
    await set('Up to (kg), row 2', '20.5');
    await save();
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(calls).toEqual([
      {
        what: 'POST',
        body: {
          name: 'Ground',
          countries: null,
          freeOver: null,
          divisor: null,
          bands: [
            { upToGrams: 10_000, price: 12 },
            { upToGrams: 20_500, price: 0 },
          ],
          perExtraKg: null,
          palletFromGrams: 200_000,
          perPallet: 95,
        },
      },
    ]);
    expect(await screen.findByRole('table', { name: 'Shipping methods' })).toBeVisible();
  });

  it("puts the shop's sentence at its row, by the form's name of it", async () => {
    shop([ground]);
    server.use(
      http.put('http://shop.test/shipping-methods/:id', () =>
        HttpResponse.json(
          problem('validation', 422, 'Check the form.', {
            errors: [
              { field: 'bands[1].upToGrams', message: 'Too heavy for this method.' },
              { field: 'countries[0]', message: 'We know no country US.' },
            ],
          }),
          { status: 422 },
        ),
      ),
    );
    show();
    await userEvent.click(await screen.findByRole('button', { name: /^Change/ }));
    const dialog = within(await screen.findByRole('dialog'));
    await userEvent.click(dialog.getByRole('button', { name: 'Save shipping method' }));
    await waitFor(() =>
      expect(dialog.getByLabelText('Up to (kg), row 2')).toHaveAccessibleDescription(
        'Too heavy for this method.',
      ),
    );
    expect(dialog.getByText('We know no country US.')).toBeVisible();
  });

  it('deletes one after a question', async () => {
    const calls = shop([ground]);
    show();
    await userEvent.click(await screen.findByRole('button', { name: /^Delete/ }));
    await userEvent.click(screen.getByRole('button', { name: 'Yes' }));
    expect(await screen.findByRole('heading', { name: 'No shipping methods yet' })).toBeVisible();
    expect(calls).toEqual([{ what: 'DELETE 1' }]);
  });

  it('lists the parts without a weight, with the way to where it is typed', async () => {
    const many = Array.from({ length: 60 }, (_, place) => ({
      _id: `p${place}`,
      name: `Part ${place}`,
      partNumber: `N-${place}`,
    }));
    shop([], many);
    show('/dashboard/freight?list=unweighed');
    expect(await screen.findByText('60 parts')).toBeVisible();
    expect(screen.getAllByRole('row')).toHaveLength(51);
    await userEvent.click(screen.getByRole('button', { name: 'Show 10 more' }));
    expect(screen.getAllByRole('row')).toHaveLength(61);
    await userEvent.type(screen.getByRole('searchbox', { name: 'Filter the list' }), 'n-59');
    expect(screen.getByText('1 part')).toBeVisible();
    expect(screen.getByRole('link', { name: /^Add weight/ })).toHaveAttribute(
      'href',
      '/dashboard/manage/p59',
    );
  });
});
