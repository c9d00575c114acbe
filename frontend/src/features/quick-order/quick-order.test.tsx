import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import { storeToken } from '@/api/access-token';
import { totalOf } from '@/lib/money';
import { shopKeepsCart } from '@/testing/cart';
import { disc, problem } from '@/testing/orders';
import { address, customer, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import { ToastHost } from '@/ui/toast-host';
import { keepReorder } from './kept';
import QuickOrderPage from './pages/quick-order-page';
import { faultOf, readList } from './read-file';
import type { CheckedRow } from './wire';

function aRow(facts: Partial<CheckedRow> = {}): CheckedRow {
  const { quantity = 50, price = 129 } = facts;
  return {
    line: 1,
    text: 'DL-1000 50',
    status: 'ok',
    message: '',
    productId: disc._id,
    partNumber: 'DL-1000',
    name: disc.name,
    img: disc.img,
    quantity,
    available: 4200,
    minOrder: 50,
    price,
    total: typeof price === 'number' ? totalOf(price, quantity ?? 0) : null,
    ...facts,
  };
}

const unknown: CheckedRow = {
  line: 2,
  text: 'DL-100O 60',
  status: 'unknown',
  message: "We couldn't find DL-100O.",
  quantity: 60,
  choices: [{ productId: 'near', partNumber: 'DL-1001', name: 'Rear Brake Disc' }],
};

const ambiguous: CheckedRow = {
  line: 3,
  text: '09A820 100',
  status: 'choose',
  message: '2 parts have this number. Choose one.',
  quantity: 100,
  choices: [
    {
      productId: 'brembo',
      partNumber: '09A820',
      name: 'Brembo Disc',
      brand: 'BREMBO',
      price: 40,
      available: 900,
      minOrder: 50,
    },
    {
      productId: 'other',
      partNumber: '09A820',
      name: 'Another Disc',
      brand: 'ATE',
      price: 30,
      available: 60,
      minOrder: 50,
    },
  ],
};

let asked: string[] = [];
let priced: unknown[] = [];

/** A shop that answers a check with these rows, and prices every unit alike. */
function shopChecks(rows: CheckedRow[], unit = 129) {
  server.use(
    http.post('*/quick-order/check', async ({ request }) => {
      const { text } = (await request.json()) as { text: string };
      asked.push(text);
      return HttpResponse.json({ rows, ok: 0, attention: 0, unknown: 0 });
    }),
    http.post('*/prices', async ({ request }) => {
      const { items } = (await request.json()) as {
        items: { productId: string; quantity: number }[];
      };
      priced.push(items);
      return HttpResponse.json({
        items: items.map(({ productId, quantity }) => ({
          productId,
          quantity,
          unit,
          list: 129,
          total: totalOf(unit, quantity),
          tiers: [{ from: 50, price: unit }],
        })),
      });
    }),
  );
}

function open() {
  const view = renderScreens(
    {
      '/dashboard/quickOrder': (
        <>
          <QuickOrderPage />
          <ToastHost />
        </>
      ),
    },
    { user: customer, at: '/dashboard/quickOrder' },
  );
  return { user: userEvent.setup(), ...view };
}

const field = () => screen.getByRole('textbox', { name: 'Part numbers and quantities' });

/** Pastes as people do: all at once. */
async function check(user: ReturnType<typeof userEvent.setup>, text = 'DL-1000 50') {
  await user.click(field());
  await user.paste(text);
  await user.click(screen.getByRole('button', { name: 'Check' }));
}

const row = async (line: number) =>
  within(await screen.findByRole('listitem', { name: `Line ${line}` }));

beforeEach(() => {
  asked = [];
  priced = [];
  storeToken('token');
});

describe('Quick order', () => {
  it('says what to do while there is nothing, and why nothing can be checked', async () => {
    const { user } = open();
    expect(screen.getByRole('heading', { name: 'No lines yet' })).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Check' }));
    expect(screen.getByRole('alert')).toHaveTextContent('Paste or type at least one part number.');
    expect(field()).toHaveFocus();
  });

  it('checks what was pasted, by Ctrl and Enter too, and says what became of each line in words', async () => {
    shopChecks([
      aRow(),
      unknown,
      ambiguous,
      aRow({ line: 4, status: 'adjusted', message: 'Raised from 20 to 50.' }),
      aRow({ line: 5, status: 'replaced', message: 'DL-0900 was replaced by DL-1000.' }),
      aRow({ line: 6, status: 'short', message: 'Only 30 in stock.', total: null }),
    ]);
    const { user } = open();
    await user.click(field());
    await user.paste('DL-1000 50\nDL-100O 60');
    await user.keyboard('{Control>}{Enter}{/Control}');
    for (const [line, word] of [
      [1, 'In order'],
      [2, 'Not found'],
      [3, 'Choose a part'],
      [4, 'Quantity changed'],
      [5, 'Replaced'],
      [6, 'Not enough stock'],
    ] as const) {
      expect((await row(line)).getByText(word)).toBeVisible();
    }
    expect(asked).toEqual(['DL-1000 50\nDL-100O 60']);
    expect((await row(4)).getByText('Raised from 20 to 50.')).toBeVisible();
    expect(screen.getByText('3 in order')).toBeVisible();
    expect(screen.getByText('2 need attention')).toBeVisible();
    expect(screen.getByText('1 not found')).toBeVisible();
    expect(screen.getByText('$19,350.00')).toBeVisible();
    expect(screen.getByText('3 lines are left out until you fix them.')).toBeVisible();
    expect(screen.getByRole('heading', { name: 'Your lines' })).toHaveFocus();
  });

  it('shows a skeleton while the shop checks', async () => {
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    server.use(
      http.post('*/quick-order/check', async () => {
        await held;
        return HttpResponse.json({ rows: [aRow()] });
      }),
    );
    const { user } = open();
    await check(user);
    expect(await screen.findByRole('status', { name: 'Checking your list' })).toBeVisible();
    release();
    expect(await screen.findByRole('listitem', { name: 'Line 1' })).toBeVisible();
  });

  it('keeps what was typed when the shop refuses, and says why', async () => {
    server.use(
      http.post('*/quick-order/check', () =>
        HttpResponse.json(problem('internal', 500, 'Not now.'), { status: 500 }),
      ),
    );
    const { user } = open();
    await check(user, 'DL-1000 50');
    expect(await screen.findByText('Not now.')).toBeVisible();
    expect(field()).toHaveValue('DL-1000 50');
  });

  it('prices a changed quantity anew, and the total with it', async () => {
    shopChecks([aRow()], 100);
    const { user } = open();
    await check(user);
    await user.click((await row(1)).getByRole('button', { name: `Add 10 of ${disc.name}` }));
    expect((await row(1)).getByText('$7,740.00')).toBeVisible();
    await waitFor(() => expect(screen.getAllByText('$6,000.00')).toHaveLength(2));
    expect(priced).toEqual([[{ productId: disc._id, quantity: 60 }]]);
  });

  it('leads from quantity to quantity by Enter, and back', async () => {
    shopChecks([aRow(), aRow({ line: 2 })]);
    const { user } = open();
    await check(user);
    const quantity = async (line: number) => (await row(line)).getByRole('textbox');
    await user.click(await quantity(1));
    await user.keyboard('{Enter}');
    expect(await quantity(2)).toHaveFocus();
    await user.keyboard('{Shift>}{Enter}{/Shift}');
    expect(await quantity(1)).toHaveFocus();
  });

  it('takes the part that is chosen, as many of it as there are', async () => {
    shopChecks([ambiguous], 30);
    const { user } = open();
    await check(user);
    const choices = (await row(3)).getByRole('group', { name: 'Which one do you mean?' });
    await user.click(within(choices).getByRole('button', { name: /^Choose Another Disc/ }));
    const line = await row(3);
    expect(line.getByRole('link', { name: 'Another Disc' })).toBeVisible();
    expect(line.getByText('Quantity changed')).toBeVisible();
    expect(line.getByText('Only 60 in stock.')).toBeVisible();
    expect(line.getByRole('textbox')).toHaveValue('60');
    expect(screen.getByText('1 in order')).toBeVisible();
    await waitFor(() => expect(priced).toEqual([[{ productId: 'other', quantity: 60 }]]));
  });

  it('takes a suggestion, or the line as it was corrected', async () => {
    shopChecks([unknown]);
    const { user } = open();
    await check(user);
    shopChecks([aRow({ line: 1, partNumber: 'DL-1001', name: 'Rear Brake Disc' })]);
    await user.click((await row(2)).getByRole('button', { name: 'Use DL-1001' }));
    expect(await screen.findByRole('link', { name: 'Rear Brake Disc' })).toBeVisible();
    expect(asked.at(-1)).toBe('DL-1001 60');
    expect((await row(2)).getByText('In order')).toBeVisible();
  });

  it('checks a corrected line by itself', async () => {
    shopChecks([aRow(), unknown]);
    const { user } = open();
    await check(user);
    const correction = (await row(2)).getByRole('textbox', { name: /^Correct this line/ });
    await user.clear(correction);
    shopChecks([aRow({ name: 'Found at last' })]);
    await user.type(correction, 'DL-1000 60{Enter}');
    expect(await screen.findByRole('link', { name: 'Found at last' })).toBeVisible();
    expect(asked.at(-1)).toBe('DL-1000 60');
    expect(screen.getByText('2 in order')).toBeVisible();
  });

  it('shows only what needs attention, and removes what was not found at once', async () => {
    shopChecks([aRow(), unknown, { ...unknown, line: 4 }, ambiguous]);
    const { user } = open();
    await check(user);
    await row(1);
    await user.click(screen.getByRole('button', { name: 'Not found' }));
    expect(screen.getAllByRole('listitem').map((each) => each.ariaLabel)).toEqual([
      'Line 2',
      'Line 4',
    ]);
    await user.click(screen.getByRole('button', { name: 'Remove 2 lines not found' }));
    expect(screen.getByText(/Every line has been taken care of/)).toBeVisible();
    await user.click(screen.getByRole('button', { name: 'Show all lines' }));
    expect(screen.queryByRole('listitem', { name: 'Line 2' })).toBeNull();
    await user.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(screen.getByRole('listitem', { name: 'Line 2' })).toBeVisible();
  });

  it('is as it was after a reload', async () => {
    shopChecks([aRow(), unknown]);
    const { user, unmount } = open();
    await check(user, 'DL-1000 50\nDL-100O 60');
    await user.click((await row(1)).getByRole('button', { name: `Add 10 of ${disc.name}` }));
    unmount();
    open();
    expect(field()).toHaveValue('DL-1000 50\nDL-100O 60');
    expect((await row(1)).getByRole('textbox')).toHaveValue('60');
    expect((await row(2)).getByText('Not found')).toBeVisible();
  });

  it('shows nobody what another account typed', () => {
    keepReorder('someone.else@example.com', [aRow()]);
    open();
    expect(screen.queryByRole('listitem', { name: 'Line 1' })).toBeNull();
  });

  it('lays an earlier order out, and says that it is one', async () => {
    keepReorder(customer.email, [aRow()]);
    open();
    expect(screen.getByText(/your earlier order at current prices/)).toBeVisible();
    expect((await row(1)).getByText('In order')).toBeVisible();
  });

  it('puts what is in order into the basket and keeps the rest', async () => {
    const shop = shopKeepsCart();
    shopChecks([aRow({ quantity: 70 }), unknown]);
    const { user } = open();
    await check(user);
    await row(1);
    await user.click(screen.getByRole('button', { name: 'Add to order' }));
    expect(await screen.findByText('1 part is in your basket. 1 line left to fix.')).toBeVisible();
    expect(shop.cart.lines.map(({ quantity }) => quantity)).toEqual([70]);
    expect(screen.queryByRole('listitem', { name: 'Line 1' })).toBeNull();
    expect(screen.getByRole('listitem', { name: 'Line 2' })).toBeVisible();
    expect(screen.getByRole('button', { name: 'Check out' })).toBeDisabled();
  });

  it('leads on to the checkout', async () => {
    const shop = shopKeepsCart();
    shopChecks([aRow()]);
    const { user } = open();
    await check(user);
    await row(1);
    await user.click(screen.getByRole('button', { name: 'Check out' }));
    await waitFor(() => expect(address()).toBe('/dashboard/checkout'));
    expect(shop.cart.lines).toHaveLength(1);
  });

  it('sums lines of one part when they go into the basket', async () => {
    const shop = shopKeepsCart();
    shopChecks([aRow({ quantity: 60 }), aRow({ line: 2, quantity: 50 })]);
    const { user } = open();
    await check(user);
    await row(2);
    await user.click(screen.getByRole('button', { name: 'Add to order' }));
    await waitFor(() => expect(shop.cart.lines.map(({ quantity }) => quantity)).toEqual([110]));
  });

  it('draws a thousand lines', async () => {
    shopChecks(Array.from({ length: 1000 }, (_, index) => aRow({ line: index + 1 })));
    const { user } = open();
    await check(user);
    expect(await screen.findByText('1,000 in order')).toBeVisible();
    expect(screen.getByText('$6,450,000.00')).toBeVisible();
  }, 30_000);
});

describe('a list from a file', () => {
  const choose = (name: string, content: BlobPart) =>
    fireEvent.change(screen.getByLabelText(/^Choose a file/), {
      target: { files: [new File([content], name)] },
    });

  it('is read into the field and checked', async () => {
    shopChecks([aRow()]);
    open();
    choose('monday.csv', 'part number;quantity\nDL-1000;50\n');
    expect((await row(1)).getByText('In order')).toBeVisible();
    expect(asked).toEqual(['part number;quantity\nDL-1000;50\n']);
  });

  it('comes by drag and drop too', async () => {
    shopChecks([aRow()]);
    open();
    const area = field().closest('.card-surface') as HTMLElement;
    const files = [new File(['DL-1000\t50'], 'list.txt')];
    fireEvent.drop(area, { dataTransfer: { files, types: ['Files'] } });
    expect((await row(1)).getByText('In order')).toBeVisible();
  });

  it.each([
    ['list.xlsx', 'x', /We can read .csv and .txt files/],
    ['empty.csv', ' \n', /That file is empty/],
    ['large.csv', 'x'.repeat(2 * 1024 * 1024 + 1), /larger than 2 MB/],
  ])('is refused with a reason: %s', async (name, content, reason) => {
    open();
    choose(name, content);
    expect(await screen.findByText(reason)).toBeVisible();
    expect(asked).toEqual([]);
  });

  it('is read as what it is written in', async () => {
    const latin = new Uint8Array([0x53, 0x74, 0xfc, 0x63, 0x6b]);
    const wide = new Uint8Array([0xff, 0xfe, 0x41, 0x00, 0x31, 0x00]);
    expect(await readList(new File([latin], 'a.csv'))).toEqual({ text: 'Stück' });
    expect(await readList(new File([wide], 'a.txt'))).toEqual({ text: 'A1' });
  });

  it('has a thousand lines at most, and may have a header', () => {
    const lines = (count: number) => 'DL-1000 50\n\n'.repeat(count);
    expect(faultOf(lines(1001))).toBeNull();
    expect(faultOf(lines(1204))).toContain('1,204 lines');
    expect(faultOf(' \n ')).toBe('Paste or type at least one part number.');
  });
});
