import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { HttpResponse, http } from 'msw';
import { beforeEach, describe, expect, it } from 'vitest';
import type { FoundVehicle, Part } from '@/api/parts';
import { aProduct } from '@/testing/orders';
import { address, renderScreens } from '@/testing/render';
import { server } from '@/testing/server';
import { Dialog } from '@/ui/dialog';
import { FindBox } from '../find-box';
import { FindKey } from './find-key';
import { shareRoom } from './use-suggestions';

const part = (number: number, facts: Partial<Part> = {}): Part => ({
  ...aProduct({ _id: `p${number}`, name: `Part ${number}`, partNumber: `DL-${number}` }),
  ...facts,
});

const brembo = part(1, { name: 'Vented disc', via: 'same as BREMBO 09.A820.11' });
const camry: FoundVehicle = {
  year: 2014,
  make: 'Toyota',
  model: 'Camry',
  vehicle: 8123,
  engine: 77,
  label: '2014 Toyota Camry 2.5 L',
};

let asked: string[] = [];
let aborted: string[] = [];

interface Shop {
  numbers?: Part[];
  parts?: Part[];
  vehicles?: FoundVehicle[];
}

function shopHas({ numbers = [], parts = [], vehicles = [] }: Shop) {
  const answer = (body: unknown) => (info: { request: Request }) => {
    const { pathname, search } = new URL(info.request.url);
    asked.push(`${pathname}${search}`);
    info.request.signal.addEventListener('abort', () => aborted.push(`${pathname}${search}`));
    return HttpResponse.json(body as object);
  };
  server.use(
    http.get('*/numbers/:any', answer({ tier: 4, products: numbers })),
    http.get('*/products', answer(parts)),
    http.get('*/vehicles', answer(vehicles)),
  );
}

async function open() {
  renderScreens({
    '*': (
      <>
        <FindBox />
        <FindKey />
        <h1>Any screen</h1>
      </>
    ),
  });
  const user = userEvent.setup();
  await user.click(screen.getByRole('textbox', { name: 'Find a part' }));
  return { user, field: await screen.findByRole('combobox', { name: 'Find a part' }) };
}

const options = () => screen.getAllByRole('option').map((option) => option.textContent);
const chosen = () => screen.queryByRole('option', { selected: true });
const said = () =>
  screen
    .getAllByRole('status')
    .filter((status) => status.ariaLabel !== 'address')
    .map((status) => status.textContent)
    .join('');

beforeEach(() => {
  asked = [];
  aborted = [];
});

describe('the search of the top bar', () => {
  it('is a plain form that leads to the shop by itself, and asks nothing until it is typed into', async () => {
    renderScreens({ '*': <FindBox /> });
    const form = screen.getByRole('search');
    expect(form).toHaveAttribute('action', '/shop');
    expect(within(form).getByRole('textbox')).toHaveAttribute('name', 'q');
    expect(asked).toEqual([]);
  });

  it('suggests numbers, parts and vehicles, each with what tells it from the others', async () => {
    shopHas({ numbers: [brembo], parts: [brembo, part(2)], vehicles: [camry] });
    const { user, field } = await open();
    expect(field).toHaveAttribute('aria-expanded', 'false');
    await user.type(field, 'camry 09.A820.11');
    const numbers = await screen.findByRole('group', { name: 'Part numbers' });
    expect(numbers).toHaveTextContent('Vented disc');
    for (const fact of ['DL-1', '$129.00', 'In stock', 'same as BREMBO 09.A820.11']) {
      expect(within(numbers).getByRole('option')).toHaveTextContent(fact);
    }
    // A part that its number has found is not said twice.
    expect(screen.getByRole('group', { name: 'Parts' })).not.toHaveTextContent('Vented disc');
    expect(screen.getByRole('group', { name: 'Vehicles' })).toHaveTextContent(camry.label);
    expect(options()).toHaveLength(4);
    expect(said()).toBe('3 suggestions. Press the arrow keys to choose one.');
    // The field says so after what it controls has been drawn.
    await waitFor(() => expect(field).toHaveAttribute('aria-expanded', 'true'));
    expect(field).toHaveAttribute('aria-controls', screen.getByRole('listbox').id);
    expect(chosen()).toBeNull();
  });

  it('asks once typing rests, and only for what the text can be', async () => {
    shopHas({});
    const { user, field } = await open();
    await user.type(field, 'pads');
    await screen.findByText('No suggestions. Press Enter to search the shop.', {
      selector: 'p[aria-hidden]',
    });
    expect(asked.sort()).toEqual(['/products?limit=8&q=pads', '/vehicles?q=pads']);
    asked = [];
    await user.clear(field);
    await user.type(field, '986-479');
    await waitFor(() =>
      expect(asked.sort()).toEqual(['/numbers/986-479', '/products?limit=8&q=986-479']),
    );
  });

  it('no longer waits for what was typed before', async () => {
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    shopHas({ parts: [part(2)] });
    const ended = new Promise<void>((done) =>
      server.use(
        http.get('*/products', async ({ request }) => {
          if (!request.url.endsWith('q=ol')) return undefined;
          request.signal.addEventListener('abort', () => done());
          await held;
          return HttpResponse.json([part(9, { name: 'Of before' })]);
        }),
      ),
    );
    const { user, field } = await open();
    await user.type(field, 'ol');
    await new Promise((done) => setTimeout(done, 250));
    await user.type(field, 'ive');
    await ended;
    expect(await screen.findByRole('option', { name: /Part 2/ })).toBeVisible();
    release();
    expect(screen.queryByText('Of before')).toBeNull();
  });

  it('takes up what was typed while it was still on its way', async () => {
    shopHas({ parts: [part(2)] });
    renderScreens({ '*': <FindBox /> });
    const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'Find a part' });
    // What comes last is typed after it was drawn and before it listens, as when one types fast.
    const add = field.addEventListener.bind(field);
    field.addEventListener = ((...heard: Parameters<typeof add>) => {
      field.value = 'part';
      add(...heard);
    }) as typeof add;
    act(() => field.focus());
    expect(await screen.findByRole('option', { name: /Part 2/ })).toBeVisible();
  });

  it('goes through the list by the arrow keys, Home and End, and opens what is chosen', async () => {
    shopHas({ numbers: [brembo], parts: [part(2)] });
    const { user, field } = await open();
    await user.type(field, '09A82011');
    await screen.findByRole('option', { name: /Vented disc/ });
    await user.keyboard('{ArrowDown}');
    expect(chosen()).toHaveTextContent('Vented disc');
    expect(field).toHaveAttribute('aria-activedescendant', chosen()?.id);
    expect(field).toHaveFocus();
    await user.keyboard('{End}');
    expect(chosen()).toHaveTextContent('See all parts for “09A82011”');
    await user.keyboard('{Home}{ArrowUp}');
    expect(chosen()).toBeNull();
    await user.keyboard('{ArrowDown}{Enter}');
    expect(address()).toBe('/product/p1');
    expect(field).toHaveValue('');
  });

  it('searches the shop on Enter where nothing is chosen, before the shop has answered', async () => {
    shopHas({});
    const { user, field } = await open();
    await user.type(field, ' brake disc {Enter}');
    expect(address()).toBe('/shop?q=brake+disc');
    expect(screen.queryByRole('option')).toBeNull();
  });

  it('searches for all that stands in the field, however much of it was drawn', async () => {
    shopHas({});
    const { user, field } = await open();
    await user.type(field, 'X75');
    // On a busy machine the rest of the keys may come, and Enter with them, before anything is drawn again.
    (field as HTMLInputElement).value = 'X75189 ';
    fireEvent.submit(screen.getByRole('search'));
    expect(address()).toBe('/shop?q=X75189');
  });

  it('opens a vehicle with its parts, by a click that leaves the focus in the field', async () => {
    shopHas({ vehicles: [camry] });
    const { user, field } = await open();
    await user.type(field, '2014 camry');
    const option = await screen.findByRole('option', { name: camry.label });
    fireEvent.pointerDown(option);
    expect(field).toHaveFocus();
    await user.click(option);
    expect(address()).toBe('/shop?vehicle=8123&engine=77');
  });

  it('closes by Escape, is emptied by the next one, and closes when the focus goes', async () => {
    shopHas({ parts: [part(2)] });
    const { user, field } = await open();
    await user.type(field, 'part');
    await screen.findByRole('option', { name: /Part 2/ });
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('option')).toBeNull();
    expect(field).toHaveValue('part');
    await user.keyboard('{ArrowDown}');
    expect(await screen.findByRole('option', { name: /Part 2/ })).toBeVisible();
    await user.keyboard('{Escape}{Escape}');
    expect(field).toHaveValue('');
    await user.type(field, 'part');
    await screen.findByRole('option', { name: /Part 2/ });
    await user.tab();
    expect(screen.queryByRole('option')).toBeNull();
  });

  it('says that nothing came, and leaves the shop to be searched', async () => {
    const refuse = () => new HttpResponse(null, { status: 500 });
    server.use(http.get('*/products', refuse), http.get('*/vehicles', refuse));
    const { user, field } = await open();
    await user.type(field, 'pads');
    await waitFor(() =>
      expect(said()).toBe("We couldn't load suggestions. Press Enter to search the shop."),
    );
    await user.keyboard('{Enter}');
    expect(address()).toBe('/shop?q=pads');
  });

  it('keeps what one call found where another fails', async () => {
    shopHas({ parts: [part(2)] });
    server.use(http.get('*/vehicles', () => new HttpResponse(null, { status: 404 })));
    const { user, field } = await open();
    await user.type(field, 'part');
    expect(await screen.findByRole('option', { name: /Part 2/ })).toBeVisible();
  });

  it('takes the focus by a slash, but not from where one types, nor from a dialog', async () => {
    shopHas({});
    const { user, field } = await open();
    await user.type(field, '/');
    expect(field).toHaveValue('/');
    field.blur();
    await user.keyboard('/');
    expect(field).toHaveFocus();
    field.blur();
    renderScreens({
      '*': (
        <Dialog open title="Billing Details" onClose={() => {}}>
          …
        </Dialog>
      ),
    });
    await user.keyboard('/');
    expect(field).not.toHaveFocus();
  });
});

describe('the room for suggestions', () => {
  const many = (from: number) => Array.from({ length: 9 }, (_, index) => part(from + index));

  it('is for eight, with a place for each kind', () => {
    const shared = shareRoom(many(1), many(5), [camry, camry, camry]);
    expect(shared.numbers).toHaveLength(4);
    expect(shared.vehicles).toHaveLength(2);
    expect(shared.parts.map(({ _id }) => _id)).toEqual(['p5', 'p6']);
  });

  it('is all for parts where nothing else was found', () => {
    expect(shareRoom([], many(1), []).parts).toHaveLength(8);
  });
});
