import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeToken } from '@/api/access-token';
import { type BasketItem, readBasket, withAdded, writeBasket } from '@/lib/basket';
import { aCartLine, pads, shopKeepsCart } from '@/testing/cart';
import { aProduct, disc, problem } from '@/testing/orders';
import { customer, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import { ToastHost } from '@/ui/toast-host';
import { AddToOrder } from './components/add-to-order';
import { BasketButton } from './components/basket-button';
import BasketPage from './pages/basket-page';

function anItem(facts: Partial<BasketItem> = {}): BasketItem {
  return {
    productId: disc._id,
    quantity: 50,
    unit: 129,
    name: disc.name,
    partNumber: disc.partNumber,
    img: disc.img,
    minOrder: 50,
    available: 4200,
    ...facts,
  };
}

function open(user: typeof customer | null = customer) {
  renderScreens(
    {
      '/basket': (
        <>
          <BasketPage />
          <ToastHost />
        </>
      ),
    },
    { user, at: '/basket' },
  );
  return userEvent.setup();
}

const line = (name: string | RegExp) => {
  const heading = screen.getByRole('heading', { level: 3, name });
  return within(heading.closest('li') as HTMLElement);
};

beforeEach(() => storeToken('token'));

describe("a visitor's basket", () => {
  it('is empty at first, and says how it fills', () => {
    open(null);
    expect(screen.getByRole('heading', { name: 'Your basket is empty' })).toBeVisible();
    expect(screen.getByRole('link', { name: 'Go to the shop' })).toHaveAttribute('href', '/shop');
    expect(screen.getByRole('link', { name: 'Quick order' })).toHaveAttribute(
      'href',
      '/dashboard/quickOrder',
    );
  });

  it('shows its lines and what they cost, without asking the shop', () => {
    writeBasket([
      anItem({ quantity: 60 }),
      anItem({ productId: 'pads', name: 'Pads', unit: 20.5 }),
    ]);
    open(null);
    expect(line(disc.name).getByText('$7,740.00')).toBeVisible();
    expect(line('Pads').getByText('$1,025.00')).toBeVisible();
    expect(screen.getByText('$8,765.00')).toBeVisible();
    expect(screen.getByRole('link', { name: 'Check out' })).toHaveAttribute(
      'href',
      '/dashboard/checkout',
    );
    expect(screen.getByText(/Your basket comes with you/)).toBeVisible();
  });

  it('keeps the minimum and the stock, whatever is typed', async () => {
    writeBasket([anItem({ available: 120 })]);
    const user = open(null);
    const field = screen.getByRole('textbox', { name: `Quantity of ${disc.name}` });
    expect(field).toHaveAccessibleDescription('Minimum 50 · 120 in stock');
    expect(screen.getByRole('button', { name: `Remove 10 of ${disc.name}` })).toBeDisabled();
    await user.clear(field);
    await user.type(field, '7{Enter}');
    expect(field).toHaveValue('50');
    expect(line(disc.name).getByText('Quantity adjusted to 50 (minimum order).')).toBeVisible();
    await user.clear(field);
    await user.type(field, '5000');
    await user.tab();
    expect(field).toHaveValue('120');
    expect(readBasket()[0]?.quantity).toBe(120);
    expect(screen.getByRole('button', { name: `Add 10 of ${disc.name}` })).toBeDisabled();
  });

  it('gives a removed line back where it was', async () => {
    writeBasket([anItem(), anItem({ productId: 'pads', name: 'Pads' })]);
    const user = open(null);
    await user.click(screen.getByRole('button', { name: `Remove ${disc.name}` }));
    expect(readBasket().map(({ productId }) => productId)).toEqual(['pads']);
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(readBasket().map(({ productId }) => productId)).toEqual([disc._id, 'pads']);
  });

  it('forgets what is no basket', () => {
    localStorage.setItem('basket', '[{"productId":7},"x",null]');
    expect(readBasket()).toEqual([]);
    localStorage.setItem('basket', '{');
    expect(readBasket()).toEqual([]);
  });
});

describe("an account's basket", () => {
  it('shows a skeleton, and then the lines as the shop has them', async () => {
    shopKeepsCart(aCartLine(), pads);
    open();
    expect(screen.getByRole('status', { name: 'Loading your basket' })).toBeVisible();
    expect(await screen.findByText('$7,450.00')).toBeVisible();
    expect(line(disc.name).getByText('$129.00 each', { exact: false })).toBeVisible();
    expect(screen.getByText('(2 parts)')).toBeVisible();
  });

  it('sends a changed quantity with the version that it saw', async () => {
    const shop = shopKeepsCart(aCartLine(), pads);
    const user = open();
    await user.click(await screen.findByRole('button', { name: `Add 10 of ${disc.name}` }));
    expect(line(disc.name).getByText('$7,740.00')).toBeVisible();
    await waitFor(() => expect(shop.cart.version).toBe(4));
    expect(shop.sent).toEqual([
      `PUT "3" [{"productId":"${disc._id}","quantity":60},{"productId":"${pads.productId}","quantity":50}]`,
    ]);
  });

  it('sends what was clicked in a row as it was in the end', async () => {
    const shop = shopKeepsCart(aCartLine());
    const user = open();
    const more = await screen.findByRole('button', { name: `Add 10 of ${disc.name}` });
    await user.click(more);
    await user.click(more);
    await user.click(more);
    await waitFor(() => expect(shop.cart.lines[0]?.quantity).toBe(80));
    expect(screen.getByRole('textbox', { name: /^Quantity/ })).toHaveValue('80');
    expect(shop.sent.every((sent, place) => sent.startsWith(`PUT "${place + 3}"`))).toBe(true);
  });

  it("takes the shop's basket when it was changed elsewhere, and says so", async () => {
    const shop = shopKeepsCart(aCartLine());
    const user = open();
    const more = await screen.findByRole('button', { name: `Add 10 of ${disc.name}` });
    shop.cart = { version: 9, lines: [aCartLine({ quantity: 500 }), pads] };
    await user.click(more);
    expect(await screen.findByText(/changed on another device/)).toBeVisible();
    expect(await screen.findByText('$65,500.00')).toBeVisible();
    expect(screen.getByRole('textbox', { name: `Quantity of ${disc.name}` })).toHaveValue('500');
    expect(shop.cart.lines).toHaveLength(2);
  });

  it('says that it could not be saved, and shows what the shop has', async () => {
    shopKeepsCart(aCartLine());
    server.use(
      http.put('*/cart', () =>
        HttpResponse.json(problem('internal', 500, 'Not now.'), { status: 500 }),
      ),
    );
    const user = open();
    await user.click(await screen.findByRole('button', { name: `Remove ${disc.name}` }));
    expect(await screen.findByText("We couldn't save your basket. Not now.")).toBeVisible();
    expect(line(disc.name).getByText('$6,450.00')).toBeVisible();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('says at the line that its price has moved, and takes the new one', async () => {
    const message = 'The price was $6,000.00 and is $6,450.00 now.';
    const shop = shopKeepsCart(aCartLine({ price: 6000, status: 'moved', message }));
    const user = open();
    const moved = (await screen.findByText(message)).closest('li') as HTMLElement;
    expect(within(moved).getByText('Price changed.')).toBeVisible();
    expect(screen.getByText('1 part needs your attention before you check out.')).toBeVisible();
    await user.click(within(moved).getByRole('button', { name: 'Order at $6,450.00' }));
    await waitFor(() => expect(shop.cart.version).toBe(4));
    expect(shop.sent[0]).toContain('"price":6450');
    expect(screen.queryByText('Price changed.')).toBeNull();
  });

  it('offers what is left where the stock fell', async () => {
    const line = aCartLine({
      quantity: 100,
      available: 60,
      status: 'adjusted',
      message: 'Only 60 in stock.',
    });
    const shop = shopKeepsCart(line);
    const user = open();
    await user.click(await screen.findByRole('button', { name: 'Change to 60' }));
    await waitFor(() => expect(shop.cart.lines[0]?.quantity).toBe(60));
  });

  it('has no stepper for what cannot be ordered at all', async () => {
    shopKeepsCart(aCartLine({ available: 10, status: 'short', message: 'Only 10 left.' }));
    open();
    expect(await screen.findByText('Not enough stock.')).toBeVisible();
    expect(screen.queryByRole('textbox', { name: /^Quantity/ })).toBeNull();
    expect(screen.getByRole('button', { name: `Remove ${disc.name}` })).toBeVisible();
  });

  it('says when it did not come, and asks again', async () => {
    let broken = true;
    shopKeepsCart(aCartLine());
    server.use(
      http.get('*/cart', () =>
        broken
          ? HttpResponse.json(problem('internal', 500, 'No.'), { status: 500 })
          : HttpResponse.json({ version: 1, lines: [aCartLine()] }),
      ),
    );
    const user = open();
    expect(await screen.findByText("We couldn't load your basket")).toBeVisible();
    broken = false;
    await user.click(screen.getByRole('button', { name: 'Retry' }));
    expect(await screen.findByRole('heading', { name: disc.name })).toBeVisible();
  });

  it('can be emptied, and filled again', async () => {
    const shop = shopKeepsCart(aCartLine(), pads);
    const user = open();
    await user.click(await screen.findByRole('button', { name: 'Empty basket' }));
    expect(await screen.findByRole('heading', { name: 'Your basket is empty' })).toBeVisible();
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(shop.cart.lines).toHaveLength(2));
    expect(shop.cart.lines[0]?.productId).toBe(disc._id);
  });
});

function openBar(user: typeof customer | null) {
  renderScreens(
    {
      '*': (
        <>
          <span id="basket-slot" />
          <AddToOrder product={disc} quantity={75} />
          <BasketButton />
          <ToastHost />
        </>
      ),
    },
    { user, at: '/shop' },
  );
  return userEvent.setup();
}

describe('the top bar', () => {
  it('counts what a visitor adds, and opens it beside the page', async () => {
    const user = openBar(null);
    expect(await screen.findByRole('button', { name: 'Basket: empty' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Add to order' }));
    expect(await screen.findByText(`75 × ${disc.name} is in your basket`)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Basket: 1 part' }));
    const drawer = within(await screen.findByRole('dialog', { name: 'Basket' }));
    expect(drawer.getByRole('heading', { name: disc.name })).toBeVisible();
    expect(drawer.getByRole('link', { name: 'View basket' })).toHaveAttribute('href', '/basket');
    await user.click(drawer.getByRole('button', { name: 'Close basket' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('moves what the browser kept to the account, once', async () => {
    writeBasket([anItem({ quantity: 80 })]);
    const shop = shopKeepsCart(pads);
    openBar(customer);
    expect(await screen.findByRole('button', { name: 'Basket: 2 parts' })).toBeVisible();
    await waitFor(() => expect(readBasket()).toEqual([]));
    expect(shop.sent).toEqual([`merge [{"productId":"${disc._id}","quantity":80,"price":10320}]`]);
  });

  it('keeps in the browser what the account cannot take, and says why', async () => {
    writeBasket([anItem()]);
    shopKeepsCart(pads);
    server.use(
      http.post('*/cart/merge', () =>
        HttpResponse.json(problem('invalid', 422, 'More than 1,000 lines.'), { status: 422 }),
      ),
    );
    openBar(customer);
    expect(await screen.findByText(/to your account. More than 1,000 lines/)).toBeVisible();
    expect(readBasket()).toHaveLength(1);
  });

  it('adds to what is in the basket of an account already', async () => {
    const shop = shopKeepsCart(aCartLine());
    const user = openBar(customer);
    await screen.findByRole('button', { name: 'Basket: 1 part' });
    await user.click(screen.getByRole('button', { name: 'Add to order' }));
    await waitFor(() => expect(shop.cart.lines[0]?.quantity).toBe(125));
  });
});

describe('Add to order', () => {
  it('is not there for what is sold out', () => {
    renderScreens({ '*': <AddToOrder product={aProduct({ availableQty: 0 })} quantity={50} /> });
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('sums what is added twice', () => {
    const one = anItem();
    expect(withAdded([one], [{ ...one, quantity: 25, unit: 100 }])).toEqual([
      { ...one, quantity: 75, unit: 100 },
    ]);
  });
});
