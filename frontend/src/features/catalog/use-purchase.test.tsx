import { act, renderHook, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { ReactNode } from 'react';
import { Provider } from 'react-redux';
import { beforeEach, expect, it, vi } from 'vitest';
import { createStore } from '@/app/store';
import { sessionOpened } from '@/features/accounts/session/slice';
import { disc, problem } from '@/testing/orders';
import { customer } from '@/testing/render';
import { server } from '@/testing/server';
import { readDraft } from './draft';
import { readUnanswered } from './unanswered';
import { type Placed, usePurchase } from './use-purchase';

const typed = { name: ' Casey Lane ', phone: '555 0100', address: '1 Workshop Lane' };
const placed = () => HttpResponse.json({ insertedId: 'order-1' }, { status: 201 });
const refused = (slug: string, status: number, more?: object) => () =>
  HttpResponse.json(problem(slug, status, `No: ${slug}`, more), { status });

let sent: { key: string | null; body: unknown }[] = [];

beforeEach(() => {
  sent = [];
});

/** A purchase whose orders are answered one after the other; without an answer the network fails. */
function begin(...answers: (() => Response)[]) {
  server.use(
    http.post('http://shop.test/orders', async ({ request }) => {
      sent.push({ key: request.headers.get('Idempotency-Key'), body: await request.json() });
      return answers[sent.length - 1]?.() ?? HttpResponse.error();
    }),
  );
  const store = createStore();
  store.dispatch(sessionOpened(customer));
  const onPlaced = vi.fn<(placed: Placed) => void>();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <Provider store={store}>{children}</Provider>
  );
  const { result, unmount } = renderHook(() => usePurchase(disc, customer, onPlaced), { wrapper });
  return { purchase: () => result.current, onPlaced, unmount };
}

it('places the order with what is typed, trimmed, and the total of the clamped quantity', async () => {
  const { purchase, onPlaced } = begin(placed);
  act(() => purchase().quantity.change('60'));
  await act(() => purchase().order(typed));
  expect(sent[0]?.body).toMatchObject({ name: 'Casey Lane', quantity: 60, price: 7740 });
  const order = { orderId: 'order-1', quantity: 60, total: 7740, repeated: false };
  expect(onPlaced).toHaveBeenCalledExactlyOnceWith(order);
  expect(readUnanswered(disc._id, customer.email)).toBeNull();
});

it('sends an order without an answer again under its key, and a changed one under another', async () => {
  const { purchase, onPlaced } = begin();
  await act(() => purchase().order(typed));
  expect(purchase().noResponse?.sent.order).toMatchObject({ quantity: 50 });
  await act(() => purchase().retry());
  await act(() => purchase().order({ ...typed, phone: '555 0199' }));
  const [first, again, changed] = sent.map(({ key }) => key);
  expect(again).toBe(first);
  expect(changed).not.toBe(first);
  expect(onPlaced).not.toHaveBeenCalled();
});

it.each([
  [429, 'rate-limited'],
  [503, 'unavailable'],
])('keeps the key after a %i, since nothing is decided', async (status, slug) => {
  const { purchase, onPlaced } = begin(refused(slug, status), placed);
  await act(() => purchase().order(typed));
  expect(purchase().problem).toBeNull();
  await act(() => purchase().retry());
  expect(sent[1]).toEqual(sent[0]);
  expect(onPlaced).toHaveBeenCalledOnce();
});

it('goes on after a reload with the order that was not answered', async () => {
  const first = begin();
  await act(() => first.purchase().order(typed));
  first.unmount();
  const key = sent[0]?.key;
  sent = [];

  const { purchase, onPlaced } = begin(placed);
  expect(purchase().noResponse?.message).toBe(
    "We haven't heard back yet, so we don't know whether your order went through.",
  );
  await act(() => purchase().retry());
  expect(sent[0]?.key).toBe(key);
  expect(onPlaced).toHaveBeenCalledWith(expect.objectContaining({ repeated: true }));
});

it('takes another key after a refusal, and forgets the order that was refused', async () => {
  const { purchase } = begin(refused('price-changed', 409, { unitPrice: 140 }), placed);
  await act(() => purchase().order(typed));
  expect(purchase().problem?.slug).toBe('price-changed');
  expect(purchase().noResponse).toBeNull();
  expect(readUnanswered(disc._id, customer.email)).toBeNull();
  await act(() => purchase().order(typed));
  expect(sent[1]?.key).not.toBe(sent[0]?.key);
});

it('moves the quantity to what is left, and returns the messages at fields', async () => {
  const errors = [{ field: 'phone', message: 'This is no phone number' }];
  const { purchase } = begin(
    refused('out-of-stock', 409, { available: 55 }),
    refused('validation', 422, { errors }),
  );
  act(() => purchase().quantity.change('80'));
  await act(() => purchase().order(typed));
  expect(purchase().quantity.quantity).toBe(55);
  let messages = {};
  await act(async () => {
    messages = await purchase().order(typed);
  });
  expect(messages).toEqual({ phone: 'This is no phone number' });
});

it('keeps what was typed when the session ended as it was sent', async () => {
  server.use(http.put('http://shop.test/user/:email', refused('unauthenticated', 401)));
  const { purchase } = begin(refused('unauthenticated', 401));
  await act(() => purchase().order(typed));
  await waitFor(() =>
    expect(readDraft(disc._id, customer.email)).toMatchObject({
      origin: 'interrupted',
      open: true,
      quantity: '50',
    }),
  );
});
