/*
 * How an account's basket changes: at once on the screen, and then at the shop, one request after the other, each for all
 * that has changed by then. The shop counts versions; where its basket is a newer one, that is what is shown.
 */
import type { ThunkDispatch, UnknownAction } from '@reduxjs/toolkit';
import { type CallError, hasStatus } from '@/api/problem';
import { basketApi } from './api';
import type { Cart, CartLine, SentLine } from './wire';

const { getCart, putCart } = basketApi.endpoints;

export interface Saved {
  error?: CallError | undefined;
  /** The shop's basket was a newer one, and is shown now. */
  conflict?: boolean;
}

/** A line as it is sent: with what was shown for it, unless that is no longer known. */
export function sentLine({ productId, quantity, price }: CartLine): SentLine {
  return { productId, quantity, ...(typeof price === 'number' ? { price } : {}) };
}

/** The store's, for whatever state it has. */
export type CartDispatch = ThunkDispatch<never, unknown, UnknownAction>;

let changes = 0;
let saving: Promise<Saved> | null = null;

const load = (dispatch: CartDispatch, forceRefetch = false) =>
  dispatch(getCart.initiate(undefined, { subscribe: false, forceRefetch }));

async function save(dispatch: CartDispatch): Promise<Saved> {
  for (;;) {
    const { data: cart } = await load(dispatch);
    // Somebody logged out meanwhile.
    if (!cart) return {};
    const sent = changes;
    const { version, lines } = cart;
    const { data, error } = await dispatch(
      putCart.initiate({ version, lines: lines.map(sentLine) }, { track: false }),
    );
    if (error) {
      await load(dispatch, true);
      return hasStatus(error, 409, 412) ? { conflict: true } : { error };
    }
    const answer: Cart | undefined = Array.isArray(data.lines)
      ? data
      : (await load(dispatch, true)).data;
    if (!answer) return {};
    if (sent === changes) {
      dispatch(basketApi.util.upsertQueryData('getCart', undefined, answer));
      return {};
    }
    dispatch(
      basketApi.util.updateQueryData('getCart', undefined, (shown) => {
        shown.version = answer.version;
      }),
    );
  }
}

/** Takes out what was bought, as far as the shop has not done so itself. */
export async function dropBought(dispatch: CartDispatch, ids: readonly string[]): Promise<void> {
  await saving;
  const { data } = await load(dispatch, true);
  const isBought = ({ productId }: CartLine) => ids.includes(productId);
  if (data?.lines.some(isBought)) {
    await changeCart(dispatch, (lines) => lines.filter((line) => !isBought(line)));
  }
}

/** Changes the account's lines, shows them, and saves them. */
export async function changeCart(
  dispatch: CartDispatch,
  change: (lines: CartLine[]) => CartLine[],
): Promise<Saved> {
  const { data, error } = await load(dispatch);
  if (!data) return { error };
  dispatch(
    basketApi.util.updateQueryData('getCart', undefined, (cart) => {
      cart.lines = change(cart.lines);
    }),
  );
  changes += 1;
  saving ??= save(dispatch).finally(() => {
    saving = null;
  });
  return saving;
}
