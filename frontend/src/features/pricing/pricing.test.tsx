import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { describe, expect, it, vi } from 'vitest';
import type { Product } from '@/api/types';
import { ProductCard } from '@/features/catalog/components/product-card';
import { ProductDetail } from '@/features/catalog/components/product-detail';
import type { Tier } from '@/lib/tiers';
import { aProduct, problem } from '@/testing/orders';
import { pricesOf } from '@/testing/prices';
import { customer, renderApp } from '@/testing/render';
import { server } from '@/testing/server';
import { PriceLadder, SavingOffer } from './components/price-ladder';

const list: Tier[] = [
  { from: 50, price: 12.4 },
  { from: 200, price: 11.1 },
  { from: 1000, price: 9.95 },
];
const own: Tier[] = [
  { from: 50, price: 10 },
  { from: 200, price: 9.5 },
];

const disc: Product = { ...aProduct({ price: 12.4 }), tiers: list };

const rows = () =>
  within(screen.getByRole('table'))
    .getAllByRole('row')
    .slice(1)
    .map((row) => row.textContent);
const current = () =>
  within(screen.getByRole('table'))
    .getAllByRole('row')
    .filter((row) => row.getAttribute('aria-current') === 'true')
    .map((row) => row.textContent);

describe('the price ladder', () => {
  it('shows every step and marks the one that applies', () => {
    const { rerender } = renderApp(<PriceLadder product={disc} quantity={199} personal={false} />);
    expect(screen.getByRole('table', { name: 'Price by quantity' })).toBeVisible();
    expect(rows()).toEqual(['50+ (your quantity)$12.40–', '200+$11.1010%', '1,000+$9.9520%']);
    rerender(<PriceLadder product={disc} quantity={1000} personal />);
    expect(screen.getByRole('table', { name: 'Your price by quantity' })).toBeVisible();
    expect(current()).toEqual(['1,000+ (your quantity)$9.9520%']);
  });

  it('is not there where every quantity costs the same', () => {
    renderApp(
      <PriceLadder product={{ ...disc, tiers: list.slice(0, 1) }} quantity={50} personal={false} />,
    );
    expect(screen.queryByRole('table')).toBeNull();
  });

  it('offers more for less only where that is true', async () => {
    const chosen = vi.fn();
    const { rerender } = renderApp(<SavingOffer product={disc} quantity={190} onChoose={chosen} />);
    await userEvent.click(
      screen.getByRole('button', { name: 'Add 10 more and pay $136.00 less in all' }),
    );
    expect(chosen).toHaveBeenCalledExactlyOnceWith(200);
    rerender(<SavingOffer product={disc} quantity={150} onChoose={chosen} />);
    expect(screen.queryByRole('button')).toBeNull();
    const few = { ...disc, availableQty: 199 };
    rerender(<SavingOffer product={few} quantity={190} onChoose={chosen} />);
    expect(screen.queryByRole('button')).toBeNull();
  });
});

describe('a card', () => {
  it('says from how much a unit costs, where that depends on how many are ordered', () => {
    const { unmount } = renderApp(<ProductCard product={disc} />);
    expect(screen.getByText('from $9.95')).toBeVisible();
    expect(screen.getByText('$12.40')).toBeVisible();
    unmount();
    renderApp(<ProductCard product={aProduct()} />);
    expect(screen.getByText('Price')).toBeVisible();
    expect(screen.queryByText(/from \$/)).toBeNull();
  });
});

function show(product: Product = disc) {
  server.use(
    http.get('http://shop.test/products/:id/reviews', () => HttpResponse.json([])),
    http.get('http://shop.test/orders', () => HttpResponse.json([])),
    http.get('http://shop.test/info', () => HttpResponse.json({ phone: '' })),
  );
  return renderApp(<ProductDetail product={product} user={customer} onRepeated={() => {}} />, {
    user: customer,
  });
}

const box = () => screen.getByRole('region', { name: 'Order this part' });
const quantity = () => screen.getByRole('spinbutton', { name: 'Quantity' });

async function order(units: string) {
  await userEvent.clear(quantity());
  await userEvent.type(quantity(), units);
  await userEvent.click(screen.getByRole('button', { name: 'Purchase' }));
  return within(await screen.findByRole('dialog', { name: 'Billing Details' }));
}

describe('the product page', () => {
  it('counts with the tier of the quantity that is typed', async () => {
    server.use(pricesOf());
    show();
    expect(box()).toHaveTextContent(/Price\$12\.40 each.*Total\$620\.00/);
    await userEvent.clear(quantity());
    await userEvent.type(quantity(), '1000');
    expect(box()).toHaveTextContent(/Price\$9\.95 each.*Total\$9,950\.00/);
    expect(current()).toEqual(['1,000+ (your quantity)$9.9520%']);
    expect(box()).not.toHaveTextContent('List price');
  });

  it('moves to the cheaper quantity on a click', async () => {
    server.use(pricesOf());
    show();
    await userEvent.clear(quantity());
    await userEvent.type(quantity(), '190');
    await userEvent.click(screen.getByRole('button', { name: /^Add 10 more/ }));
    expect(quantity()).toHaveValue(200);
    expect(box()).toHaveTextContent('Total$2,220.00');
  });

  it('shows whoever is signed in their own price, and that it is theirs', async () => {
    server.use(pricesOf({ [disc._id]: { unit: 10, list: 12.4, total: 500, tiers: own } }));
    show();
    await waitFor(() => expect(box()).toHaveTextContent('Your price$10 eachList price $12.40'));
    expect(screen.getByRole('table', { name: 'Your price by quantity' })).toBeVisible();
    expect(rows()).toEqual(['50+ (your quantity)$10.00–', '200+$9.505%']);
    await userEvent.clear(quantity());
    await userEvent.type(quantity(), '1000');
    expect(box()).toHaveTextContent('Your price$9.50 eachList price $9.95');
  });

  it('begins with what the product says of their price until the rest is known', () => {
    server.use(http.post('http://shop.test/prices', () => new Promise<never>(() => {})));
    show({ ...disc, yourPrice: 11 });
    expect(box()).toHaveTextContent('Your price$11 eachList price $12.40');
    expect(rows()).toEqual(['50+ (your quantity)$11.00–', '1,000+$9.9510%']);
  });

  it('goes by the list where their price cannot be asked for', async () => {
    server.use(http.post('http://shop.test/prices', () => new HttpResponse(null, { status: 404 })));
    show();
    await waitFor(() => expect(box()).toHaveTextContent('Price$12.40 each'));
    expect(box()).not.toHaveTextContent('Your price');
  });

  it('orders at the price of the tier, and at the one that the shop names where that is another', async () => {
    const sent: unknown[] = [];
    server.use(
      pricesOf({ [disc._id]: { unit: 10, list: 12.4, total: 500, tiers: own } }),
      http.post('http://shop.test/orders', async ({ request }) => {
        sent.push(await request.json());
        const raised = [...own.slice(0, 1), { from: 200, price: 9.7 }];
        server.use(pricesOf({ [disc._id]: { unit: 10, list: 12.4, total: 500, tiers: raised } }));
        return HttpResponse.json(
          problem('price-changed', 409, 'The price has changed.', { unitPrice: 9.7 }),
          { status: 409 },
        );
      }),
    );
    show();
    await waitFor(() => expect(box()).toHaveTextContent('Your price'));
    const dialog = await order('200');
    expect(dialog.getByLabelText('Price')).toHaveValue('$1,900.00');
    expect(dialog.getByLabelText('Price')).toBeDisabled();
    expect(dialog.getByLabelText('Price')).toHaveAccessibleDescription('$9.50 each');
    await userEvent.type(dialog.getByLabelText('Phone'), '555 010 0199');
    await userEvent.type(dialog.getByLabelText('Address'), '7 Camshaft Bay, Toledo 43604');
    await userEvent.click(dialog.getByRole('button', { name: 'Order 200 for $1,900.00' }));
    await waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]).toMatchObject({ quantity: 200, price: 1900 });
    expect(await dialog.findByRole('alert')).toHaveTextContent(
      'The price has changed to $9.70 each. Your new total for 200 is $1,940.00.',
    );
    await waitFor(() =>
      expect(dialog.getByLabelText('Price')).toHaveAccessibleDescription('$9.70 each'),
    );
    await userEvent.click(dialog.getByRole('button', { name: 'Order at $1,940.00' }));
    await waitFor(() => expect(sent).toHaveLength(2));
    expect(sent[1]).toMatchObject({ quantity: 200, price: 1940 });
  });
});
